# SPDX-License-Identifier: BSD-3-Clause
# Draws ring_size.svg, ring_curve.svg, ring_refinements.svg, ring_quality.svg, ring_speed.svg from the CSV files of the
# same names in the current directory.
set datafile separator " "
set grid ytics lc rgb "#dddddd"
set style fill transparent solid 0.18 noborder
paper = "#b33333"
best = "#2f6fb3"
third = "#4c9a3f"
title_of(p) = p eq "first" ? "37 hosts, 47 routers, 91 links" : "70 hosts, 103 routers, 182 links"

# Mean, least and most of column v by column k, over the rows where the columns c and d are x and y.
by(file, k, v, c, x, d, y) = sprintf("< awk -F, 'NR > 1 && $%d == \"%s\" && $%d == \"%s\" {g = $%d; v = $%d; n[g]++; s[g] += v; if (n[g] == 1 || v < a[g]) a[g] = v; if (n[g] == 1 || v > b[g]) b[g] = v} END {for (g in n) print g, s[g] / n[g], a[g], b[g]}' %s | sort -g", c, x, d, y, k, v, file)

set terminal svg size 960,420 font "sans-serif,12" background "white"
set output "ring_size.svg"
set multiplot layout 1,2 title "Hosts in the ring against H/W (mean and range over the seeds)"
set logscale x
set xlabel "H/W, kB a Mflop"
set yrange [0:*]
set ylabel "hosts"
do for [p in "first second"] {
    set title title_of(p)
    plot by("ring_size.csv", 3, 5, 1, p, 4, "paper") using 1:3:4 with filledcurves lc rgb paper notitle, \
         by("ring_size.csv", 3, 5, 1, p, 4, "best") using 1:3:4 with filledcurves lc rgb best notitle, \
         by("ring_size.csv", 3, 5, 1, p, 4, "paper") using 1:2 with linespoints pt 7 ps .5 lc rgb paper title "literal greedy", \
         by("ring_size.csv", 3, 5, 1, p, 4, "best") using 1:2 with linespoints pt 5 ps .5 lc rgb best title "best"
}
unset multiplot

set output "ring_refinements.svg"
set multiplot layout 1,2 title "Gain of refined bandwidths over the literal greedy, in true T (mean and range over the seeds)"
set yrange [*:*]
set ylabel "gain, %"
set key left top
do for [p in "first second"] {
    set title title_of(p)
    plot by("ring_refinements.csv", 3, 6, 1, p, 4, "maxmin") using 1:(100*$3):(100*$4) with filledcurves lc rgb best notitle, \
         by("ring_refinements.csv", 3, 6, 1, p, 4, "optimal") using 1:(100*$3):(100*$4) with filledcurves lc rgb third notitle, \
         by("ring_refinements.csv", 3, 6, 1, p, 4, "maxmin") using 1:(100*$2) with linespoints pt 5 ps .5 lc rgb best title "max-min", \
         by("ring_refinements.csv", 3, 6, 1, p, 4, "optimal") using 1:(100*$2) with linespoints pt 7 ps .5 lc rgb third title "optimal"
}
unset multiplot

set terminal svg size 1200,700 font "sans-serif,12" background "white"
set output "ring_curve.svg"
set multiplot layout 2,3 title "Step time against the size of the ring (mean over the seeds; T/W in s a Gflop)"
unset logscale x
set logscale y
set xlabel "hosts"
set ylabel "T/W"
do for [p in "first second"] {
    do for [r in "0.1 1 10"] {
        if (r eq "0.1") {set key right top} else {set key right bottom}
        set title (p eq "first" ? "37" : "70")." hosts, H/W = ".r
        only(s) = sprintf("< awk -F, 'NR > 1 && $1 == \"%s\" && $3 == %s && $4 == \"%s\" {n[$5]++; t[$5] += $6} END {for (q in n) print q, t[q] / n[q]}' ring_curve.csv | sort -g", p, r, s)
        plot only("paper") using 1:2 with lines lw 2 lc rgb paper title "literal greedy", \
             only("best") using 1:2 with lines lw 2 lc rgb best title "best"
    }
}
unset multiplot

set terminal svg size 960,420 font "sans-serif,12" background "white"
set output "ring_quality.svg"
set multiplot layout 1,2
unset logscale
set title "Local search against every ring, 3 to 6 hosts"
set xlabel "platform, sorted"
set ylabel "T / optimum"
set yrange [0.99:1.06]
sorted(c, select) = sprintf("< awk -F, '%s {print $%d}' ring_quality.csv | sort -g", select, c)
plot sorted(8, "$1 == \"small\" && $4 == \"fixed\"") using 0:1 with points pt 7 ps .3 lc rgb best title "fixed routes", \
     sorted(8, "$1 == \"small\" && $4 == \"free\"") using 0:1 with points pt 5 ps .3 lc rgb third title "free routes"
set key left top
set title "Gain of best over the literal greedy, H/W = 1"
set xlabel "seed, sorted by gain"
set ylabel "gain, %"
set yrange [*:*]
plot sorted(7, "$1 == \"maxmin\" && $2 == 37 && $4 == \"free\"") using 0:(100*$1) with linespoints pt 7 ps .5 lc rgb best title "37 hosts, max-min", \
     sorted(7, "$1 == \"optimal\" && $2 == 37 && $4 == \"free\"") using 0:(100*$1) with linespoints pt 6 ps .5 lc rgb best title "37 hosts, optimal", \
     sorted(7, "$1 == \"maxmin\" && $2 == 70 && $4 == \"free\"") using 0:(100*$1) with linespoints pt 5 ps .5 lc rgb paper title "70 hosts, max-min", \
     sorted(7, "$1 == \"optimal\" && $2 == 70 && $4 == \"free\"") using 0:(100*$1) with linespoints pt 4 ps .5 lc rgb paper title "70 hosts, optimal"
unset multiplot

set terminal svg size 620,420 font "sans-serif,12" background "white"
set output "ring_speed.svg"
set logscale
set title "Time to plan, one core, H/W = 0.1"
set xlabel "hosts"
set ylabel "CPU seconds"
set key left top
took(s, r) = sprintf("< awk -F, '$3 == \"%s\" && $4 == \"%s\" && $1 <= 1000 {print $1, $5}' ring_speed.csv", s, r)
plot took("greedy", "free") using 1:2 with linespoints pt 7 lc rgb paper title "greedy, free routes", \
     took("greedy", "fixed") using 1:2 with linespoints pt 6 lc rgb paper title "greedy, fixed routes", \
     took("best", "free") using 1:2 with linespoints pt 5 lc rgb best title "best, free routes", \
     took("best", "fixed") using 1:2 with linespoints pt 4 lc rgb best title "best, fixed routes"
