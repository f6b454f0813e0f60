// SPDX-License-Identifier: BSD-3-Clause
/* Cells that are std::vectors of unequal and changing lengths, balanced: the library moves them by four callbacks.
 *
 *     mpirun -n 4 cells CELLS LENGTH ITERATIONS off|static|on
 *
 * Each cell is a walker's path of LENGTH points: it grows by one an iteration, and forgets its older half when it has two
 * times as many, or in some cells up to eight times. Long paths are more work, which is declared. Prints whether every path is bit for bit what one process would have. */
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <heteroslice/hs_storage.h>
#include <new>
#include <string>
#include <vector>

namespace
{

using Path = std::vector<double>;

/* The paths of this rank's cells. Those of other ranks' cells are empty vectors, which take 24 bytes each. */
class Cells
{
  public:
    explicit Cells(int64_t count) : path_(static_cast<size_t>(count))
    {
    }

    Path &operator[](int64_t u)
    {
        return path_[static_cast<size_t>(u)];
    }

    /* What the library is given. The callbacks find this object by the pointer. */
    hs_storage storage()
    {
        hs_storage storage = {};
        storage.owner = this;
        storage.bytes = bytes;
        storage.pack = pack;
        storage.unpack = unpack;
        storage.remove = remove;
        return storage;
    }

  private:
    static Cells &cells(void *owner)
    {
        return *static_cast<Cells *>(owner);
    }

    static hs_status bytes(void *owner, int64_t first, int64_t count, int64_t *bytes)
    {
        for (int64_t i = 0; i < count; i++)
            bytes[i] = static_cast<int64_t>(cells(owner)[first + i].size() * sizeof(double));
        return HS_OK;
    }

    /* Straight from each vector into the message. */
    static int64_t pack(void *owner, int64_t first, int64_t count, const int64_t *bytes, void *buffer)
    {
        char *at = static_cast<char *>(buffer);
        for (int64_t i = 0; i < count; at += bytes[i++])
            if (bytes[i] > 0)
                std::memcpy(at, cells(owner)[first + i].data(), static_cast<size_t>(bytes[i]));
        return at - static_cast<char *>(buffer);
    }

    /* Straight from the message into new vectors. Memory that runs out leaves this call, and all ranks, as they were. */
    static int64_t unpack(void *owner, int64_t first, int64_t count, const int64_t *bytes, const void *buffer)
    {
        const char *at = static_cast<const char *>(buffer);
        try {
            for (int64_t i = 0; i < count; at += bytes[i++]) {
                Path path(static_cast<size_t>(bytes[i]) / sizeof(double));
                if (bytes[i] > 0)
                    std::memcpy(path.data(), at, static_cast<size_t>(bytes[i]));
                cells(owner)[first + i].swap(path);
            }
        } catch (const std::bad_alloc &) {
            return HS_ERR_NOMEM;
        }
        return at - static_cast<const char *>(buffer);
    }

    static void remove(void *owner, int64_t first, int64_t count)
    {
        for (int64_t u = first; u < first + count; u++)
            Path().swap(cells(owner)[u]);
    }

    std::vector<Path> path_;
};

/* One iteration of cell u: a step whose length comes from the whole path. */
void walk(Path &path, int64_t u, int64_t length, int64_t iteration)
{
    double sum = 0;
    for (double x : path)
        sum += 0.5 * x;
    path.push_back(sum / static_cast<double>(path.size() + 1) + static_cast<double>((u * 7 + iteration) % 11));
    if (static_cast<int64_t>(path.size()) >= 2 * length * (1 + u % 4))
        path.erase(path.begin(), path.begin() + static_cast<Path::difference_type>(path.size() / 2));
}

/* Ends the run when the library says that something failed; it has told why. */
hs_status require(hs_status status)
{
    if (status < 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return status;
}

/* A path's length is the work of its cell. */
void declare(hs_layout *layout, Cells &cells)
{
    hs_slice slice = hs_layout_slice(layout);
    std::vector<double> weight(static_cast<size_t>(slice.count) + 1);
    for (int64_t i = 0; i < slice.count; i++)
        weight[static_cast<size_t>(i)] = 1.0 + static_cast<double>(cells[slice.first + i].size());
    require(hs_layout_weights(layout, weight.data()));
}

/* How many of this rank's paths are not those that one process would have. */
int64_t wrong_paths(const hs_layout *layout, Cells &cells, int64_t length, int64_t iterations)
{
    hs_slice slice = hs_layout_slice(layout);
    int64_t wrong = 0;
    for (int64_t u = slice.first; u < slice.first + slice.count; u++) {
        Path path(static_cast<size_t>(length), 0.0);
        for (int64_t k = 0; k < iterations; k++)
            walk(path, u, length, k);
        wrong += path.size() != cells[u].size() ||
                 std::memcmp(path.data(), cells[u].data(), path.size() * sizeof(double)) != 0;
    }
    return wrong;
}

int run(int64_t count, int64_t length, int64_t iterations, hs_balance_mode mode)
{
    Cells cells(count);
    hs_params params = {};
    hs_context *context;
    hs_layout *layout;
    params.mode = mode;
    require(hs_init(MPI_COMM_WORLD, &params, &context, nullptr));
    require(hs_layout_create(context, count, 0, HS_FIXED, &layout));
    hs_slice slice = hs_layout_slice(layout);
    for (int64_t u = slice.first; u < slice.first + slice.count; u++)
        cells[u].assign(static_cast<size_t>(length), 0.0);
    hs_storage storage = cells.storage();
    require(hs_layout_add_storage(layout, &storage));
    int64_t points = 0;
    for (int64_t k = 0; k < iterations; k++) {
        if (k % 20 == 0)
            declare(layout, cells);
        slice = hs_layout_slice(layout);
        points = 0;
        for (int64_t u = slice.first; u < slice.first + slice.count; u++) {
            walk(cells[u], u, length, k);
            points += static_cast<int64_t>(cells[u].size());
        }
        MPI_Allreduce(MPI_IN_PLACE, &points, 1, MPI_INT64_T, MPI_SUM, hs_comm(context));
        require(hs_balance(layout));
    }
    int64_t wrong = wrong_paths(layout, cells, length, iterations);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT64_T, MPI_SUM, hs_comm(context));
    hs_layout_stats stats;
    hs_layout_get_stats(layout, &stats);
    int rank;
    MPI_Comm_rank(hs_comm(context), &rank);
    if (rank == 0)
        std::printf("verified %s, %" PRId64 " points, %" PRId64 " rebalances, %" PRId64 " bytes moved\n",
                    wrong == 0 ? "T" : "F", points, stats.moves, stats.moved_bytes);
    require(hs_finalize(&context));
    return wrong == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    std::string word = argc == 5 ? argv[4] : "";
    int code = 2;
    if (word == "off" || word == "static" || word == "on")
        code = run(std::atoll(argv[1]), std::atoll(argv[2]), std::atoll(argv[3]),
                   word == "off"      ? HS_BALANCE_OFF
                   : word == "static" ? HS_BALANCE_STATIC
                                      : HS_BALANCE_ON);
    else
        std::fprintf(stderr, "usage: cells CELLS LENGTH ITERATIONS off|static|on\n");
    MPI_Finalize();
    return code;
}
