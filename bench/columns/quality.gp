# SPDX-License-Identifier: BSD-3-Clause
# Draws quality.csv: gnuplot -e "csv='quality.csv'; out='quality.svg'" quality.gp
set terminal svg size 1100,440 font "sans-serif,12" background "white"
set output out
set datafile separator ","
set datafile missing NaN # a row of another line does not break this one
set logscale xy
set xrange [2.5:1100]
set yrange [0.005:200]
set format y "%g %%"
set xlabel "hosts"
set ylabel "sum of half perimeters above the lower bound"
set key at screen 0.5, 0.03 center horizontal
set bmargin 6
set grid ytics lc "#dddddd"
row(kind, method, column) = strcol(1) eq kind && strcol(3) eq method ? 100 * (column - 1) : NaN
set multiplot layout 1,3
do for [kind in "uniform pareto decades"] {
    set title kind . " speeds (mean; worst dotted)"
    plot for [m in "grid columns recursive"] csv using 2:(row(kind, m, $5)) \
             with linespoints pt 7 ps 0.35 lw 1.5 lc (m eq "grid" ? 1 : m eq "columns" ? 2 : 3) title m, \
         for [m in "grid columns recursive"] csv using 2:(row(kind, m, $6)) \
             with lines dt 3 lc (m eq "grid" ? 1 : m eq "columns" ? 2 : 3) notitle
    unset ylabel
}
unset multiplot
