/* SPDX-License-Identifier: BSD-3-Clause */
/* A plug-in that balances: the library is loaded while MPI runs, used, unloaded and loaded again; the last time it is
 * unloaded before MPI_Finalize() with a farm still attached. Run by loaded.sh with the library's path. */
#include "tests/mpi.h"
#include <dlfcn.h>
#include <heteroslice/hs_scatter.h>

enum { TIMES = 3, UNITS = 100, ITERATIONS = 20 };

/* The functions of the library as it is loaded now. */
static struct {
    void *handle;
    hs_status (*init)(MPI_Comm, const hs_params *, hs_context **, hs_error *);
    hs_status (*create)(hs_context *, int64_t, int64_t, hs_edges, hs_layout **);
    hs_status (*add)(hs_layout *, int64_t, int64_t, void **);
    hs_slice (*slice)(const hs_layout *);
    hs_status (*balance)(hs_layout *);
    hs_status (*finalize)(hs_context **);
    hs_status (*attach)(MPI_Comm, const hs_farm_params *, hs_error *);
} library;

static void find(const char *name, void *place)
{
    void *symbol = dlsym(library.handle, name);
    REQUIRE(symbol != NULL);
    memcpy(place, &symbol, sizeof symbol);
}

static void load(const char *path)
{
    library.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library.handle)
        fprintf(stderr, "%s\n", dlerror());
    REQUIRE(library.handle != NULL);
    find("hs_init", &library.init);
    find("hs_layout_create", &library.create);
    find("hs_layout_add_array", &library.add);
    find("hs_layout_slice", &library.slice);
    find("hs_balance", &library.balance);
    find("hs_finalize", &library.finalize);
    find("hs_farm_attach", &library.attach);
}

static void use(const hs_params *params)
{
    hs_context *context;
    hs_layout *layout;
    int64_t *data;
    REQUIRE(library.init(MPI_COMM_WORLD, params, &context, NULL) == HS_OK);
    REQUIRE(library.create(context, UNITS, 1, HS_FIXED, &layout) == HS_OK);
    REQUIRE(library.add(layout, sizeof *data, 1, (void **)&data) == HS_OK);
    for (int64_t i = 0; i < library.slice(layout).count; i++)
        data[i] = library.slice(layout).first + i;
    for (int k = 0; k < ITERATIONS; k++) {
        REQUIRE(library.balance(layout) >= 0);
        for (int64_t i = 0; i < library.slice(layout).count; i++)
            REQUIRE(data[i] == library.slice(layout).first + i);
    }
    REQUIRE(library.finalize(&context) == HS_OK);
}

int main(int argc, char **argv)
{
    double cycle[64], comm[64];
    for (int r = 0; r < 64; r++)
        cycle[r] = comm[r] = 1e-3;
    MPI_Init(&argc, &argv);
    REQUIRE(argc == 2);
    hs_params params = fake_hosts(HS_BALANCE_ON);
    const hs_farm_params farm = {.item_bytes = 8, .result_bytes = 8, .cycle_time = cycle, .comm_time = comm};
    for (int k = 0; k < TIMES; k++) {
        load(argv[1]);
        use(&params);
        if (k == TIMES - 1)
            REQUIRE(library.attach(MPI_COMM_WORLD, &farm, NULL) == HS_OK);
        REQUIRE(dlclose(library.handle) == 0);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    forget_hosts(&params);
    MPI_Finalize();
    if (argc == 2)
        puts("done");
    return 0;
}
