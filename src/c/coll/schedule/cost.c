/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/schedule/cost.h"

#include <math.h>

int h3ou__cost_log2(int n)
{
    int log = 0;
    for (int64_t power = 1; power < n; power *= 2)
        log++;
    return log;
}

int h3ou__cost_serial(int messages, int ports)
{
    return (messages + ports - 1) / ports;
}

int64_t h3ou__cost_all_bytes(const h3ou__call *call)
{
    int64_t bytes = 0;
    for (int i = 0; call->counts && i < call->size; i++)
        bytes += call->counts[i] * call->element;
    return call->counts ? bytes : call->size * h3ou__call_bytes(call);
}

void h3ou__cost_rounds(h3ou__cost *cost, double n, double bytes)
{
    cost->messages += n;
    cost->bytes += n * bytes;
}

void h3ou__cost_pipeline(h3ou__cost *cost, int parts, double depth, int serial)
{
    cost->parts = parts;
    cost->first = depth * serial;
    cost->serial = serial;
}

static h3ou__cost find_cost(const h3ou__algorithm *a, const h3ou__call *call, const h3ou__machine *machine)
{
    h3ou__cost cost = {0};
    if (call->size > 1)
        a->cost(call, machine->ports, &cost);
    return cost;
}

double h3ou__cost_predict(const h3ou__algorithm *a, const h3ou__call *call, const h3ou__machine *machine)
{
    h3ou__cost cost = find_cost(a, call, machine);
    double seconds = cost.messages * machine->latency + cost.bytes / machine->bandwidth;
    if (cost.parts) {
        double part = (double)h3ou__call_bytes(call) / cost.parts;
        double segment = call->segment > 0 && (double)call->segment < part ? (double)call->segment : part;
        double n = segment > 0 ? ceil(part / segment) : 1;
        seconds += (cost.first + (n - 1) * cost.serial) * (machine->latency + segment / machine->bandwidth);
    }
    return seconds;
}

int64_t h3ou__cost_best_segment(const h3ou__algorithm *a, const h3ou__call *call, const h3ou__machine *machine)
{
    h3ou__cost cost = find_cost(a, call, machine);
    double fill = cost.first - cost.serial;
    if (!cost.parts || !a->has_segments || fill <= 0)
        return 0;
    double part = (double)h3ou__call_bytes(call) / cost.parts;
    double segment = sqrt(machine->latency * machine->bandwidth * part * cost.serial / fill);
    return segment < part ? (int64_t)segment + 1 : 0;
}

int64_t h3ou__cost_overlap_segment(int64_t bytes, double product, int64_t shortest)
{
    const int64_t LONGEST = 1 << 22;
    int64_t segment = (int64_t)sqrt((double)bytes * product);
    return segment < shortest ? shortest : segment > LONGEST ? LONGEST : segment;
}
