/* SPDX-License-Identifier: BSD-3-Clause */
/* Bad files: one clear line each, at the right place, and nothing left behind. */
#include "tests/unit.h"
#include <heteroslice/hs_platform.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[] = "/tmp/hs-read-XXXXXX";

static int enter(void **state)
{
    int descriptor = mkstemp(path);
    return descriptor < 0 ? -1 : close(descriptor);
}

static int leave(void **state)
{
    return unlink(path);
}

static void write_file(const char *text)
{
    FILE *stream = fopen(path, "w");
    fputs(text, stream);
    fclose(stream);
}

static void check_refused(hs_status status, int line, const char *text)
{
    hs_platform *platform = NULL;
    hs_error error = {-1, ""};
    hs_status got = hs_platform_read(path, &platform, &error);
    if (got != status || error.line != line || strcmp(error.text, text) != 0) {
        fprintf(stderr, "got %d, line %d: %s\nexpected %d, line %d: %s\n", got, error.line, error.text, status, line,
                text);
        fail();
    }
    assert_null(platform);
    assert_int_equal(hs_platform_read(path, &platform, NULL), status);
}

#define HEAD "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
#define OPEN HEAD "<platform version=\"4.1\">\n"
/* A zone of two hosts, a router and two links: lines 4 to 9. */
#define ZONE(routing)                                             \
    OPEN "<zone id=\"z\" routing=\"" routing "\">\n"              \
         "<host id=\"a\" speed=\"1Gf\"/>\n"                       \
         "<host id=\"b\" speed=\"1Gf\"/>\n"                       \
         "<router id=\"r\"/>\n"                                   \
         "<link id=\"l\" bandwidth=\"1MBps\" latency=\"1ms\"/>\n" \
         "<link id=\"d\" bandwidth=\"1MBps\" latency=\"1ms\" sharing_policy=\"SPLITDUPLEX\"/>\n"
#define CLOSE "</zone></platform>\n"
#define HOST(attributes) OPEN "<zone id=\"z\" routing=\"Full\">\n<host " attributes "/>\n" CLOSE
#define LINK(attributes) OPEN "<zone id=\"z\" routing=\"Full\">\n<link " attributes "/>\n" CLOSE
#define PROP(id, value)                                                                                        \
    OPEN "<zone id=\"z\" routing=\"Full\">\n<host id=\"a\" speed=\"1Gf\">\n<prop id=\"" id "\" value=\"" value \
         "\"/></host>" CLOSE
#define CLUSTER(attributes) \
    OPEN "<cluster id=\"c\" prefix=\"p\" suffix=\"s\" bw=\"1MBps\" lat=\"1ms\" " attributes "/></platform>\n"

#define ZEROS_20 "00000000000000000000"
#define ZEROS_80 ZEROS_20 ZEROS_20 ZEROS_20 ZEROS_20

static const struct {
    const char *text;
    hs_status status;
    int line;
    const char *error;
} rows[] = {
    /* The file as such */
    {"", HS_ERR_PARSE, 1, "the file is empty"},
    {"\n\n", HS_ERR_PARSE, 3, "not XML: no element found"},
    {"speed of a: 3 Gf\n", HS_ERR_PARSE, 1, "not XML: syntax error"},
    {"\x7f"
     "ELF\x02\x01",
     HS_ERR_PARSE, 1, "not XML: not well-formed (invalid token)"},
    {"{\"hosts\":[]}", HS_ERR_PARSE, 1, "not XML: not well-formed (invalid token)"},
    {ZONE("Full"), HS_ERR_PARSE, 10, "the file ends inside <zone>"},
    {OPEN "<zone id=\"z\" rou", HS_ERR_PARSE, 4, "the file ends inside <platform>"},
    {OPEN "<zone id=\"z\" routing=\"Full\">\n</platform>\n", HS_ERR_PARSE, 5, "not XML: mismatched tag"},
    {OPEN "</platform>\n<platform version=\"4.1\"/>\n", HS_ERR_PARSE, 5, "not XML: junk after document element"},
    {HEAD "<zone id=\"z\" routing=\"Full\"/>\n", HS_ERR_PARSE, 3, "<zone> outside <platform>"},
    {OPEN "<platform version=\"4.1\"/></platform>\n", HS_ERR_PARSE, 4, "<platform> inside <platform>"},
    {OPEN "<clusters/></platform>\n", HS_ERR_PARSE, 4, "<clusters> is not a tag of a platform file"},
    {OPEN "<host id=\"a\" speed=\"1Gf\"/></platform>\n", HS_ERR_PARSE, 4, "<host> inside <platform>"},
    {OPEN "hello</platform>\n", HS_ERR_PARSE, 4, "text outside tags: 'hello'"},
    {OPEN "</platform>\n", HS_ERR_PARSE, 5, "no host in this platform"},
    {OPEN "<zone id=\"z\" routing=\"Full\"/></platform>\n", HS_ERR_PARSE, 5, "no host in this platform"},
    {HEAD "<platform/>\n", HS_ERR_PARSE, 3, "<platform> without attribute 'version'"},
    {HEAD "<platform version=\"3\"/>\n", HS_ERR_UNSUPPORTED, 3, "platform version '3': 4 to 4.1 are read"},
    {HEAD "<platform version=\"5\"/>\n", HS_ERR_UNSUPPORTED, 3, "platform version '5': 4 to 4.1 are read"},
    {HEAD "<platform version=\"nan\"/>\n", HS_ERR_UNSUPPORTED, 3, "platform version 'nan': 4 to 4.1 are read"},
    {"<!DOCTYPE p [<!ENTITY a \"aaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">]>\n<platform version=\"&b;\"/>\n", HS_ERR_PARSE, 1,
     "entity 'a': entity declarations are not accepted"},
    {"<!DOCTYPE p [\n<!ENTITY x SYSTEM \"/etc/passwd\">]>\n<platform version=\"4\">&x;</platform>\n", HS_ERR_PARSE, 2,
     "entity 'x': entity declarations are not accepted"},
    {OPEN "&x;</platform>\n", HS_ERR_PARSE, 4, "entity 'x' is not known"},
    /* Tags of SimGrid that this model does not cover */
    {ZONE("Full") "<bypassRoute src=\"a\" dst=\"b\"/>" CLOSE, HS_ERR_UNSUPPORTED, 10,
     "<bypassRoute>: routes that bypass others are not covered"},
    {OPEN "<trace id=\"t\" periodicity=\"1\">0 1</trace></platform>\n", HS_ERR_UNSUPPORTED, 4,
     "<trace>: values that change over time are not covered"},
    {OPEN "<zone id=\"z\" routing=\"Vivaldi\">\n", HS_ERR_UNSUPPORTED, 4,
     "zone 'z': routing 'Vivaldi' is not covered: Full, Floyd, Dijkstra, DijkstraCache and Cluster are"},
    {OPEN "<zone id=\"z\" routing=\"None\">\n", HS_ERR_UNSUPPORTED, 4,
     "zone 'z': routing 'None' is not covered: Full, Floyd, Dijkstra, DijkstraCache and Cluster are"},
    {HOST("id=\"a\" speed=\"1Gf\" speed_file=\"x\""), HS_ERR_UNSUPPORTED, 5,
     "<host>: speed_file: values that change over time are not covered"},
    {CLUSTER("radical=\"0-1\" speed=\"1Gf\" topology=\"TORUS\" topo_parameters=\"2,1\""), HS_ERR_UNSUPPORTED, 4,
     "cluster 'c': topology 'TORUS' is not covered: FLAT is"},
    {LINK("id=\"w\" bandwidth=\"1MBps\" sharing_policy=\"WIFI\""), HS_ERR_UNSUPPORTED, 5,
     "link 'w': sharing policy 'WIFI': SHARED, SPLITDUPLEX, FATPIPE are read"},
    /* Attributes */
    {HOST("id=\"a\""), HS_ERR_PARSE, 5, "<host> without attribute 'speed'"},
    {HOST("id=\"a\" speed=\"1Gf\" power=\"1Gf\""), HS_ERR_PARSE, 5, "<host> has no attribute 'power'"},
    {HOST("id=\"a\" id=\"b\" speed=\"1Gf\""), HS_ERR_PARSE, 5, "not XML: duplicate attribute"},
    {HOST("id=\"\" speed=\"1Gf\""), HS_ERR_PARSE, 5, "a host without id"},
    {HOST("id=\"a&#9;b\" speed=\"1Gf\""), HS_ERR_PARSE, 5, "the id of a host holds a control character"},
    {HOST("id=\"a\" speed=\"1Gf\" core=\"0\""), HS_ERR_PARSE, 5, "host 'a': core: '0' is not an integer of at least 1"},
    {HOST("id=\"a\" speed=\"1Gf\" core=\"2x\""), HS_ERR_PARSE, 5,
     "host 'a': core: '2x' is not an integer of at least 1"},
    {HOST("id=\"a\" speed=\"1Gf\" core=\"99999999999\""), HS_ERR_PARSE, 5,
     "host 'a': core: '99999999999' is not an integer of at least 1"},
    {HOST("id=\"a\" speed=\"2Gf,1Gf\" pstate=\"2\""), HS_ERR_PARSE, 5,
     "host 'a': pstate 2 of 2 speeds, counted from 0"},
    /* Quantities */
    {HOST("id=\"a\" speed=\"5\""), HS_ERR_PARSE, 5,
     "host 'a': speed: '5' has no unit: expected a speed above 0 such as 8Gf"},
    {HOST("id=\"a\" speed=\"-5Gf\""), HS_ERR_PARSE, 5,
     "host 'a': speed: '-5Gf' is out of range: expected a speed above 0 such as 8Gf"},
    {HOST("id=\"a\" speed=\"nanGf\""), HS_ERR_PARSE, 5,
     "host 'a': speed: 'nanGf' is out of range: expected a speed above 0 such as 8Gf"},
    {HOST("id=\"a\" speed=\"infGf\""), HS_ERR_PARSE, 5,
     "host 'a': speed: 'infGf' is out of range: expected a speed above 0 such as 8Gf (1e-100 to 1e100 in base units)"},
    {HOST("id=\"a\" speed=\"1e308Gf\""), HS_ERR_PARSE, 5,
     "host 'a': speed: '1e308Gf' is out of range: expected a speed above 0 such as 8Gf (1e-100 to 1e100 in base "
     "units)"},
    {HOST("id=\"a\" speed=\"NaN\""), HS_ERR_PARSE, 5,
     "host 'a': speed: 'NaN' is out of range: expected a speed above 0 such as 8Gf"},
    {HOST("id=\"a\" speed=\"-1\""), HS_ERR_PARSE, 5,
     "host 'a': speed: '-1' is out of range: expected a speed above 0 such as 8Gf"},
    {HOST("id=\"a\" speed=\"1e-320f\""), HS_ERR_PARSE, 5,
     "host 'a': speed: '1e-320f' is out of range: expected a speed above 0 such as 8Gf (1e-100 to 1e100 in base "
     "units)"},
    {HOST("id=\"a\" speed=\"fast\""), HS_ERR_PARSE, 5,
     "host 'a': speed: 'fast' is not a number: expected a speed above 0 such as 8Gf"},
    {HOST("id=\"a\" speed=\"1Gf,,2Gf\""), HS_ERR_PARSE, 5,
     "host 'a': speed: '' is not a number: expected a speed above 0 such as 8Gf"},
    {HOST("id=\"a\" speed=\"1Gf,-2Gf\""), HS_ERR_PARSE, 5,
     "host 'a': speed: '-2Gf' is out of range: expected a speed above 0 such as 8Gf"},
    {HOST("id=\"a\" speed=\"2Gf, " ZEROS_80 "1Gf ,3Gf\""), HS_ERR_PARSE, 5,
     "host 'a': speed: '" ZEROS_80 "' is too long"},
    {HOST("id=\"a\" speed=\"1MBps\""), HS_ERR_PARSE, 5,
     "host 'a': speed: '1MBps' has an unknown unit: expected a speed above 0 such as 8Gf"},
    {LINK("id=\"l\" bandwidth=\"1\""), HS_ERR_PARSE, 5,
     "link 'l': bandwidth: '1' has no unit: expected a bandwidth above 0 such as 100Mbps or 12.5MBps"},
    {LINK("id=\"l\" bandwidth=\"0Bps\""), HS_ERR_PARSE, 5,
     "link 'l': bandwidth: '0Bps' is out of range: expected a bandwidth above 0 such as 100Mbps or 12.5MBps"},
    {LINK("id=\"l\" bandwidth=\"1Bps;2Bps\""), HS_ERR_PARSE, 5,
     "link 'l': bandwidth: '1Bps;2Bps' has an unknown unit: expected a bandwidth above 0 such as 100Mbps or 12.5MBps"},
    {LINK("id=\"l\" bandwidth=\"1Bps\" latency=\"-1s\""), HS_ERR_PARSE, 5,
     "link 'l': latency: '-1s' is out of range: expected a time of 0 or more such as 50us"},
    {LINK("id=\"l\" bandwidth=\"1Bps\" latency=\"5\""), HS_ERR_PARSE, 5,
     "link 'l': latency: '5' has no unit: expected a time of 0 or more such as 50us"},
    {LINK("id=\"l\" bandwidth=\"1Bps\" sharing_policy=\"shared\""), HS_ERR_PARSE, 5,
     "link 'l': sharing policy 'shared': SHARED, SPLITDUPLEX, FATPIPE are read"},
    /* Ids */
    {ZONE("Full") "<host id=\"a\" speed=\"1Gf\"/>" CLOSE, HS_ERR_PARSE, 10,
     "host 'a': a host of this id is there already"},
    {ZONE("Full") "<router id=\"z\"/>" CLOSE, HS_ERR_PARSE, 10, "router 'z': a zone of this id is there already"},
    {ZONE("Full") "<link id=\"l\" bandwidth=\"1MBps\"/>" CLOSE, HS_ERR_PARSE, 10,
     "link 'l': a link of this id is there already"},
    {ZONE("Full") "<link id=\"d_DOWN\" bandwidth=\"1MBps\"/>" CLOSE, HS_ERR_PARSE, 10,
     "link 'd_DOWN': a link of this id is there already"},
    /* Zones */
    {ZONE("Full") "</zone>\n<zone id=\"y\" routing=\"Full\"/></platform>\n", HS_ERR_PARSE, 11,
     "zone 'y': a platform has one outermost zone"},
    {ZONE("Full") "<zone id=\"y\" routing=\"Full\"/>" CLOSE, HS_ERR_PARSE, 10, "zone 'y' beside hosts or routers"},
    {OPEN "<zone id=\"z\" routing=\"Full\">\n<router id=\"r\"/>\n<zone id=\"y\" routing=\"Full\"/>" CLOSE, HS_ERR_PARSE,
     6, "zone 'y' beside hosts or routers"},
    {OPEN "<zone id=\"z\" routing=\"Full\">\n<zone id=\"y\" routing=\"Full\"/>\n<router id=\"r\"/>" CLOSE, HS_ERR_PARSE,
     6, "router 'r' beside zones"},
    {OPEN "<zone id=\"z\" routing=\"Cluster\">\n<zone id=\"y\" routing=\"Full\"/>" CLOSE, HS_ERR_PARSE, 5,
     "zone 'y' inside Cluster zone 'z'"},
    /* Routes */
    {ZONE("Full") "<route src=\"a\" dst=\"q\"/>" CLOSE, HS_ERR_PARSE, 10,
     "<route> dst 'q': no host or router of this id so far"},
    {ZONE("Full") "<route src=\"z\" dst=\"a\"/>" CLOSE, HS_ERR_PARSE, 10,
     "<route> src 'z' is a zone: zoneRoute joins zones"},
    {ZONE("Full") "<route src=\"a\" dst=\"b\"/>" CLOSE, HS_ERR_PARSE, 10, "the route from 'a' to 'b' crosses no link"},
    {ZONE("Full") "<route src=\"a\" dst=\"b\"><link_ctn id=\"m\"/></route>" CLOSE, HS_ERR_PARSE, 10,
     "<link_ctn> 'm': no link of this id so far"},
    {ZONE("Full") "<route src=\"a\" dst=\"b\"><link_ctn id=\"d\"/></route>" CLOSE, HS_ERR_PARSE, 10,
     "<link_ctn> 'd' is SPLITDUPLEX: it needs a direction"},
    {ZONE("Full") "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\" direction=\"UP\"/></route>" CLOSE, HS_ERR_PARSE, 10,
     "<link_ctn> 'l': direction UP, but it is not SPLITDUPLEX"},
    {ZONE("Full") "<route src=\"a\" dst=\"b\"><link_ctn id=\"d\" direction=\"LEFT\"/></route>" CLOSE, HS_ERR_PARSE, 10,
     "<link_ctn> 'd': direction 'LEFT': UP, DOWN, NONE are read"},
    {ZONE("Full") "<route src=\"a\" dst=\"b\" symmetrical=\"maybe\"/>" CLOSE, HS_ERR_PARSE, 10,
     "symmetrical 'maybe': YES and NO are read"},
    {ZONE("Floyd") "<route src=\"a\" dst=\"r\"><link_ctn id=\"l\"/></route>\n"
                   "<route src=\"r\" dst=\"a\"><link_ctn id=\"l\"/></route>" CLOSE,
     HS_ERR_PARSE, 11, "the route from 'r' to 'a' is there already"},
    {ZONE("Floyd") "<route src=\"a\" dst=\"r\" symmetrical=\"NO\"><link_ctn id=\"l\"/></route>\n"
                   "<route src=\"r\" dst=\"a\"><link_ctn id=\"l\"/></route>" CLOSE,
     HS_ERR_PARSE, 11, "the route from 'a' to 'r' is there already (routes are symmetrical by default)"},
    {ZONE("Full") "<link_ctn id=\"l\"/>" CLOSE, HS_ERR_PARSE, 10, "<link_ctn> inside <zone>"},
    {ZONE("Full") "<zoneRoute src=\"x\" dst=\"y\" gw_src=\"a\" gw_dst=\"b\"/>" CLOSE, HS_ERR_PARSE, 10,
     "<zoneRoute> src 'x': no zone of this id so far"},
    {ZONE("Full") "<zoneRoute src=\"z\" dst=\"y\" gw_src=\"a\" gw_dst=\"b\"/>" CLOSE, HS_ERR_PARSE, 10,
     "<zoneRoute> src 'z' does not lie directly in this zone"},
    {OPEN "<zone id=\"w\" routing=\"Full\"><zone id=\"x\" routing=\"Full\"><host id=\"a\" speed=\"1f\"/></zone>\n"
          "<zone id=\"y\" routing=\"Full\"><router id=\"b\"/></zone>\n"
          "<zoneRoute src=\"x\" dst=\"y\" gw_src=\"a\" gw_dst=\"c\"/>" CLOSE,
     HS_ERR_PARSE, 6, "<zoneRoute> gw_dst 'c': no host or router of this id so far"},
    {OPEN "<zone id=\"w\" routing=\"Full\"><zone id=\"x\" routing=\"Full\"><host id=\"a\" speed=\"1f\"/></zone>\n"
          "<zone id=\"y\" routing=\"Full\"><router id=\"b\"/></zone>\n"
          "<zoneRoute src=\"x\" dst=\"y\" gw_src=\"b\" gw_dst=\"b\"/>" CLOSE,
     HS_ERR_PARSE, 6, "<zoneRoute> gw_src 'b' is not in zone 'x'"},
    {OPEN "<zone id=\"w\" routing=\"Full\"><zone id=\"x\" routing=\"Full\"><host id=\"a\" speed=\"1f\"/></zone>\n"
          "<zoneRoute src=\"x\" dst=\"x\" gw_src=\"a\" gw_dst=\"a\"/>" CLOSE,
     HS_ERR_PARSE, 5, "<zoneRoute> from zone 'x' to itself"},
    /* Speeds by size */
    {PROP("speed_by_size", "1MiB"), HS_ERR_PARSE, 6, "host 'a': speed_by_size: '1MiB' is not SIZE:SPEED"},
    {PROP("speed_by_size", "1MiB:2Gf,"), HS_ERR_PARSE, 6, "host 'a': speed_by_size: '' is not SIZE:SPEED"},
    {PROP("speed_by_size", "1MiB:2Gf 1GiB:1Gf"), HS_ERR_PARSE, 6,
     "host 'a': speed_by_size: '2Gf 1GiB:1Gf' has an unknown unit: expected a speed above 0 such as 8Gf"},
    {PROP("speed_by_size", "1Gf:1MiB"), HS_ERR_PARSE, 6,
     "host 'a': speed_by_size: '1Gf' has an unknown unit: expected a size of 0 or more such as 64KiB"},
    {PROP("speed_by_size", "1MiB:0Gf"), HS_ERR_PARSE, 6,
     "host 'a': speed_by_size: '0Gf' is out of range: expected a speed above 0 such as 8Gf"},
    {PROP("speed_by_size", "0B:1Gf"), HS_ERR_PARSE, 6,
     "host 'a': speed_by_size '0B:1Gf': point 1 of a speed function is out of range: 0 bytes at 1e+09"},
    {PROP("speed_by_size", "2kB:1Gf, 1kB:1Gf"), HS_ERR_PARSE, 6,
     "host 'a': speed_by_size '2kB:1Gf, 1kB:1Gf': sizes must rise, but 1000 bytes follow 2000"},
    {PROP("speed_by_size", "1kB:1Gf, 2kB:2Gf"), HS_ERR_PARSE, 6,
     "host 'a': speed_by_size '1kB:1Gf, 2kB:2Gf': a slice of 2000 bytes would take no longer than one of 1000: speeds "
     "must rise less than sizes"},
    {PROP("speed_by_size", "1kB:1Gf\"/>\n<prop id=\"speed_by_size\" value=\"1kB:1Gf"), HS_ERR_PARSE, 7,
     "host 'a': speed_by_size is given twice"},
    {PROP("max_slice", "lots"), HS_ERR_PARSE, 6,
     "host 'a': max_slice: 'lots' is not a number: expected a size of 0 or more such as 64KiB"},
    {PROP("max_slice", "0B"), HS_ERR_PARSE, 6,
     "host 'a': max_slice '0B': a speed function without points or without a positive limit"},
    {PROP("max_slice", "1GiB\"/>\n<prop id=\"max_slice\" value=\"1GiB"), HS_ERR_PARSE, 7,
     "host 'a': max_slice is given twice"},
    {OPEN "<cluster id=\"c\" prefix=\"p\" suffix=\"s\" bw=\"1MBps\" lat=\"1ms\" radical=\"1\" speed=\"1Gf\">\n"
          "<prop id=\"max_slice\" value=\"1GiB\"/></cluster></platform>\n",
     HS_ERR_UNSUPPORTED, 5, "property max_slice of a cluster: it is one of hosts"},
    /* Clusters */
    {CLUSTER("radical=\"0-2000000000\" speed=\"1Gf\""), HS_ERR_UNSUPPORTED, 4,
     "cluster 'c': radical '0-2000000000': more than 1000000 hosts"},
    {CLUSTER("radical=\"0-600000,1000000-1600000\" speed=\"1Gf\""), HS_ERR_UNSUPPORTED, 4,
     "cluster 'c': radical '0-600000,1000000-1600000': more than 1000000 hosts"},
    {CLUSTER("radical=\"0-99999999999999999999\" speed=\"1Gf\""), HS_ERR_PARSE, 4,
     "cluster 'c': radical '0-99999999999999999999': expected such as 1-29,58,60"},
    {CLUSTER("radical=\"5-3\" speed=\"1Gf\""), HS_ERR_PARSE, 4,
     "cluster 'c': radical '5-3': expected such as 1-29,58,60"},
    {CLUSTER("radical=\"\" speed=\"1Gf\""), HS_ERR_PARSE, 4, "cluster 'c': radical '': expected such as 1-29,58,60"},
    {CLUSTER("radical=\"1-2-3\" speed=\"1Gf\""), HS_ERR_PARSE, 4,
     "cluster 'c': radical '1-2-3': expected such as 1-29,58,60"},
    {CLUSTER("radical=\"1,1\" speed=\"1Gf\""), HS_ERR_PARSE, 4, "host 'p1s': a host of this id is there already"},
    {CLUSTER("radical=\"1\" speed=\"1Gf\" bb_lat=\"1ms\""), HS_ERR_PARSE, 4, "cluster 'c': bb_lat without bb_bw"},
    {CLUSTER("radical=\"1\" speed=\"1Gf\" loopback_lat=\"1ms\""), HS_ERR_PARSE, 4,
     "cluster 'c': loopback_lat without loopback_bw"},
    {CLUSTER("radical=\"1\" speed=\"1Gf\" bb_bw=\"1MBps\" bb_sharing_policy=\"SPLITDUPLEX\""), HS_ERR_PARSE, 4,
     "cluster 'c': sharing policy 'SPLITDUPLEX': SHARED, FATPIPE are read"},
    {ZONE("Full") "<host_link id=\"a\" up=\"l\" down=\"l\"/>" CLOSE, HS_ERR_PARSE, 10,
     "<host_link> 'a' outside a zone of routing Cluster"},
    {ZONE("Cluster") CLOSE, HS_ERR_PARSE, 10, "host 'a' of Cluster zone 'z' has no host_link"},
    {ZONE("Cluster") "<route src=\"a\" dst=\"b\"/>" CLOSE, HS_ERR_PARSE, 10,
     "a route in Cluster zone 'z', which takes host_link"},
    {ZONE("Cluster") "<host_link id=\"r\" up=\"l\" down=\"l\"/>" CLOSE, HS_ERR_PARSE, 10,
     "<host_link> 'r': no host of this id so far in this zone"},
    {ZONE("Cluster") "<host_link id=\"a\" up=\"d\" down=\"l\"/>" CLOSE, HS_ERR_PARSE, 10,
     "<host_link> 'a': up 'd': no link of this id so far"},
    {ZONE("Cluster") "<host_link id=\"a\" up=\"l\" down=\"l\"/>\n<host_link id=\"a\" up=\"l\" down=\"l\"/>" CLOSE,
     HS_ERR_PARSE, 11, "<host_link> 'a': this host has one already"},
    {ZONE("Cluster") "<backbone id=\"b1\" bandwidth=\"1MBps\" latency=\"0s\"/>\n"
                     "<backbone id=\"b2\" bandwidth=\"1MBps\" latency=\"0s\"/>" CLOSE,
     HS_ERR_PARSE, 11, "<backbone> 'b2': zone 'z' has one already"},
};

static void table(void **state)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_file(rows[i].text);
        check_refused(rows[i].status, rows[i].line, rows[i].error);
    }
}

/* One speed of the list counts. A host of speed 0 is off. */
static void speed_lists(void **state)
{
    static const struct {
        const char *text;
        double speed;
    } lists[] = {{HOST("id=\"a\" speed=\"3Gf, 2Gf,0f\""), 3e9},
                 {HOST("id=\"a\" speed=\"0f,2Gf\" pstate=\"1\""), 2e9},
                 {HOST("id=\"a\" speed=\"0f,2Gf\""), 0},
                 {HOST("id=\"a\" speed=\"0\""), 0},
                 {HOST("id=\"a\" speed=\"" ZEROS_20 ZEROS_20 ZEROS_20 "0000000000000001Gf,2Gf\""), 1e9}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        hs_platform *platform;
        write_file(lists[i].text);
        assert_int_equal(hs_platform_read(path, &platform, NULL), HS_OK);
        CHECK_CLOSE(hs_platform_host_speed(platform, 0), lists[i].speed, 0);
        hs_platform_free(platform);
    }
}

/* Properties of a host say its speed by size; those of somebody else mean nothing. */
static void speeds_by_size(void **state)
{
    hs_platform *platform;
    write_file(PROP("speed_by_size", " 32KiB:4Gf ,1 MiB : 3Gf"));
    assert_int_equal(hs_platform_read(path, &platform, NULL), HS_OK);
    const hs_speed_function *f = hs_platform_host_speed_function(platform, 0);
    assert_int_equal(f->points, 2);
    CHECK_CLOSE(f->point[1].size, 0x1p20, 0);
    CHECK_CLOSE(f->point[1].speed, 3e9, 0);
    assert_true(isinf(f->max_size));
    CHECK_CLOSE(hs_platform_host_speed(platform, 0), 1e9, 0);
    hs_platform_free(platform);
    write_file(PROP("max_slice", "2GiB\"/>\n<prop id=\"speed_by_size\" value=\"1B:1f\"/><prop id=\"mem\" value=\"1"));
    assert_int_equal(hs_platform_read(path, &platform, NULL), HS_OK);
    assert_int_equal(hs_platform_host_speed_function(platform, 0)->points, 1);
    CHECK_CLOSE(hs_platform_host_speed_function(platform, 0)->max_size, 0x1p31, 0);
    hs_platform_free(platform);
}

static void unreadable(void **state)
{
    hs_platform *platform = NULL;
    hs_error error;
    assert_int_equal(hs_platform_read("/nonexistent", &platform, &error), HS_ERR_IO);
    CHECK_ERROR(&error, 0, "cannot read it: No such file or directory");
    assert_int_equal(hs_platform_read("/tmp", &platform, &error), HS_ERR_IO);
    CHECK_ERROR(&error, 0, "cannot read it: Is a directory");
    assert_null(platform);
}

/* A million zones in each other, a million unknown tags, a million attributes' worth of one id. */
static void endless(void **state)
{
    enum { MILLION = 1000000 };
    FILE *stream = fopen(path, "w");
    fputs(OPEN, stream);
    for (int i = 0; i < MILLION; i++)
        fprintf(stream, "<zone id=\"z%d\" routing=\"Full\">", i);
    fclose(stream);
    check_refused(HS_ERR_UNSUPPORTED, 4, "zones inside each other more than 200 deep");
    stream = fopen(path, "w");
    for (int i = 0; i < MILLION; i++)
        fputs("<a>", stream);
    fclose(stream);
    check_refused(HS_ERR_PARSE, 1, "<a> is not a tag of a platform file");
    stream = fopen(path, "w");
    fputs(OPEN "<zone id=\"z\" routing=\"Full\"><host id=\"", stream);
    for (int i = 0; i < MILLION; i++)
        fputs("long", stream);
    fputs("\" speed=\"1\"/>" CLOSE, stream);
    fclose(stream);
    hs_platform *platform;
    hs_error error;
    assert_int_equal(hs_platform_read(path, &platform, &error), HS_ERR_PARSE);
    assert_true(strlen(error.text) < sizeof error.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(table), cmocka_unit_test(speed_lists),
                                       cmocka_unit_test(speeds_by_size), cmocka_unit_test(unreadable),
                                       cmocka_unit_test(endless)};
    return cmocka_run_group_tests(tests, enter, leave);
}
