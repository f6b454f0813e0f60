# SPDX-License-Identifier: BSD-3-Clause

# HS_UPLOT: --with-uplot (auto by default): npm brings uPlot, in the version and with the hash of package-lock.json, into the build
# folder, and "hs report" puts it into its pages. Defines HAVE_UPLOT, the conditional HAVE_UPLOT and hs_have_uplot. Without npm or its
# registry pages have the same pictures, and no script.
AC_DEFUN([HS_UPLOT], [
  AC_ARG_WITH([uplot], [AS_HELP_STRING([--with-uplot@<:@=yes|no@:>@], [plots to zoom in pages of hs report (default: when npm brings them)])],
    [], [with_uplot=auto])
  AC_ARG_VAR([NPM], [npm, which brings uPlot])
  hs_have_uplot=no hs_uplot_folder=src/cli/report/uplot
  AS_CASE([$with_uplot], [no], [],
    [yes|auto], [
      AC_PATH_PROG([NPM], [npm])
      AC_MSG_CHECKING([for uPlot by npm])
      AS_MKDIR_P([$hs_uplot_folder])
      for hs_file in package.json package-lock.json; do
        cmp -s "$srcdir/$hs_uplot_folder/$hs_file" $hs_uplot_folder/$hs_file || cp -f "$srcdir/$hs_uplot_folder/$hs_file" $hs_uplot_folder/
      done
      AS_IF([test -n "$NPM" && (cd $hs_uplot_folder && "$NPM" ci --ignore-scripts --prefer-offline --no-audit --no-fund --no-update-notifier \
               --fetch-retries=0 --fetch-timeout=20000) >&AS_MESSAGE_LOG_FD 2>&1 </dev/null &&
             test -f $hs_uplot_folder/node_modules/uplot/dist/uPlot.iife.min.js], [hs_have_uplot=yes])
      AC_MSG_RESULT([$hs_have_uplot])],
    [AC_MSG_ERROR([--with-uplot takes yes or no, not '$with_uplot'])])
  AS_IF([test $with_uplot = yes && test $hs_have_uplot = no],
    [AC_MSG_ERROR([--with-uplot: npm did not bring uPlot; config.log says why])])
  AS_IF([test $hs_have_uplot = yes], [AC_DEFINE([HAVE_UPLOT], [1], [Define to 1 when pages of hs report have uPlot.])])
  AM_CONDITIONAL([HAVE_UPLOT], [test $hs_have_uplot = yes])
])
