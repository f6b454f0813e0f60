# SPDX-License-Identifier: BSD-3-Clause
# Draws quality.csv: gnuplot -e "csv='quality.csv'; out='quality.svg'" quality.gp
set terminal svg size 1100,420 font "sans-serif,12" background "white"
set output out
set datafile separator ","
set datafile missing NaN # a row of another line does not break this one
set logscale x
set xlabel "hosts"
set ylabel "sum of half perimeters / lower bound"
set yrange [1:1.25]
set key top right
set grid ytics lc "#dddddd"
set multiplot layout 1,3
do for [kind in "uniform pareto decades"] {
    set title kind . " speeds (mean; worst dotted)"
    plot for [m in "grid columns recursive"] csv using ((strcol(1) eq kind && strcol(3) eq m) ? $2 : NaN):5 \
             with linespoints pt 7 ps 0.35 lw 1.5 lc (m eq "grid" ? 1 : m eq "columns" ? 2 : 3) title m, \
         for [m in "columns recursive"] csv using ((strcol(1) eq kind && strcol(3) eq m) ? $2 : NaN):6 \
             with lines dt 3 lc (m eq "columns" ? 2 : 3) notitle
}
unset multiplot
