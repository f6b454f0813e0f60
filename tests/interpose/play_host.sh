# SPDX-License-Identifier: BSD-3-Clause
# play_host.sh HOSTS COMMAND...: starts a rank that plays one of hosts h0, h1, ..., dealt out in turn. PLAY_PRELOAD: what it preloads.
rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}
export HS_LAB_HOST="h$((rank % $1))"
shift
[ -z "${PLAY_PRELOAD:-}" ] || export LD_PRELOAD="$PLAY_PRELOAD"
exec "$@"
