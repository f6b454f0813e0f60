# SPDX-License-Identifier: BSD-3-Clause
# Draws cost.csv: gnuplot -e "csv='cost.csv'; out='cost.svg'" cost.gp
set terminal svg size 1000,420 font "sans-serif,12" background "white"
set output out
set datafile separator ","
set logscale x
set xlabel "hosts"
set ylabel "part of all blocks"
set yrange [0:*]
set key outside bottom center horizontal
set grid ytics lc "#dddddd"
set multiplot layout 1,2
do for [drift in "all one"] {
    set title drift eq "all" ? "every speed drifts by up to 30 %" : "one host drops to a quarter"
    plot for [c in "slides exact owners_exact owners_moved scratch"] \
        csv using (strcol(1) eq drift ? column("hosts") : NaN):(column(c)) with linespoints pt 7 ps 0.4 lw 1.5 \
        title (c eq "owners_exact" ? "exact, owners' price" : c eq "owners_moved" ? "blocks that change owner" : \
               c eq "scratch" ? "from scratch" : c)
}
unset multiplot
