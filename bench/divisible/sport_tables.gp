# SPDX-License-Identifier: BSD-3-Clause
# The mean deviations of sport_tables, as in sport, Fig. 2:
#     gnuplot -e "csv='sport_tables.csv'; model='published'; out='sport_tables.svg'" sport_tables.gp
set terminal svg size 1200,900 font "sans-serif,11" background "white"
set output out
set datafile separator ","
set multiplot layout 3,3 title "Longer than the optimum by ... %, mean of the runs, cases of Table 1 (model: ".model.")"
set xrange [0.5:25.5]
set xtics 1,4,25
set grid ytics lc rgb "#dddddd"
set key top left samplen 1.5
rows(m, d, a) = sprintf("< awk -F, '$1==\"%s\" && $2==%d && $3==\"%s\" && $6==\"%s\"' %s", model, m, d, a, csv)
do for [m in "4 5 6"] {
    do for [d in "0.2 0.5 0.8"] {
        set title sprintf("m = %s, {/Symbol d} = %s", m, d)
        set yrange [0:*]
        plot rows(m+0, d, "fifo") using 4:7 with lines lw 1.5 lc rgb "#5b8fd6" title "FIFO", \
             rows(m+0, d, "lifo") using 4:7 with lines lw 1.5 lc rgb "#e39a3b" title "LIFO", \
             rows(m+0, d, "sport") using 4:7 with lines lw 1.5 lc rgb "#b33333" title "SPORT", \
             (model eq "published" ? 1/0 : 0) notitle, \
             (model eq "published" ? "/dev/null" : rows(m+0, d, "best200")) using 4:7 with lines lw 1.5 lc rgb "#4c9a3f" title (model eq "published" ? "" : "best, 200 schedules")
        unset key
    }
}
unset multiplot
