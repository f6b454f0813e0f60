! SPDX-License-Identifier: BSD-3-Clause
! Topologies that MPI may reorder, by the three interfaces for Fortran (see fortran_calls.F90). The output does not depend on
! the order.
#include "fortran_interface.h"

subroutine tell(comm, what, in)
  USE_MPI
  implicit none
  INCLUDE_MPI
  COMM_TYPE, intent(in) :: comm
  character(len=*), intent(in) :: what
  integer, intent(in) :: in
  integer :: vertex, heard(16), value(1), e
  call MPI_Comm_rank(comm, vertex, e)
  value = 100 + vertex
  heard = 0
  call MPI_Neighbor_allgather(value, 1, MPI_INTEGER, heard, 1, MPI_INTEGER, comm, e)
  print '(2a,i0,a,16(1x,i0))', what, ': vertex ', vertex, ' hears', heard(1:in)
end subroutine

program ordered
  USE_MPI
  implicit none
  INCLUDE_MPI
  COMM_TYPE :: comm
  integer :: e, rank, ranks, k, dims(2), sources(1), targets(1), weights(1), degrees(1), nodes(1)
  integer :: indices(16), edges(32)
  logical :: periods(2)
  call MPI_Init(e)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, e)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, e)
  dims = [2, ranks / 2]
  periods = [.true., .false.]
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .true., comm, e)
  call tell(comm, 'grid', 4)
  call MPI_Comm_free(comm, e)
  do k = 1, ranks
    indices(k) = 2 * k
    edges(2 * k - 1) = mod(k, ranks)
    edges(2 * k) = mod(k + ranks - 2, ranks)
  end do
  call MPI_Graph_create(MPI_COMM_WORLD, ranks, indices, edges, .true., comm, e)
  call tell(comm, 'graph', 2)
  call MPI_Comm_free(comm, e)
  sources = mod(rank + ranks - 1, ranks)
  targets = mod(rank + 1, ranks)
  weights = 3
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, sources, MPI_UNWEIGHTED, 1, targets, MPI_UNWEIGHTED, &
    MPI_INFO_NULL, .true., comm, e)
  call tell(comm, 'adjacent', 1)
  call MPI_Comm_free(comm, e)
  nodes = rank
  degrees = 1
  call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, nodes, degrees, targets, weights, MPI_INFO_NULL, .true., comm, e)
  call tell(comm, 'distributed', 1)
  call MPI_Comm_free(comm, e)
  call MPI_Finalize(e)
end program
