# SPDX-License-Identifier: BSD-3-Clause

# HS_COMPILER_FLAGS: warnings in HS_CFLAGS, --enable-werror, --enable-sanitize[=LIST], hidden visibility.
AC_DEFUN([HS_COMPILER_FLAGS], [
  AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [make warnings errors (developers)])], [], [enable_werror=no])
  AC_ARG_ENABLE([sanitize],
    [AS_HELP_STRING([--enable-sanitize@<:@=LIST@:>@], [compile with -fsanitize=LIST @<:@address,undefined@:>@])],
    [], [enable_sanitize=no])
  AS_IF([test "$enable_sanitize" = yes], [enable_sanitize=address,undefined])
  HS_CFLAGS="-std=gnu11 -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wno-unused-parameter -fvisibility=hidden"
  AS_IF([test "$enable_werror" = yes], [HS_CFLAGS="$HS_CFLAGS -Werror"])
  # No "null": gcc tests the flags of the addition that makes a thread-local variable's address, and the linker turns it
  # into one that sets none. The address sanitizer stops at null pointers anyway.
  AS_IF([test "$enable_sanitize" != no],
    [HS_CFLAGS="$HS_CFLAGS -fsanitize=$enable_sanitize -fno-sanitize=null -fno-sanitize-recover=all -fno-omit-frame-pointer"])
  AC_SUBST([HS_CFLAGS])
  # What programs without the sanitizer preload together with a library that has it. It looks for the C++ library at its start, and
  # without it ends a program in C whose plug-ins throw.
  AS_CASE([$enable_sanitize],
    [*address*], [HS_SANITIZER="`$CC -print-file-name=libasan.so` `$CC -print-file-name=libstdc++.so.6`"],
    [*thread*], [HS_SANITIZER="`$CC -print-file-name=libtsan.so`"],
    [HS_SANITIZER=])
  AC_SUBST([HS_SANITIZER])
])
