/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What my component was set up with, and then did, for the next run's h3ou check: rank 0 of its first member writes it to
 * the run's folder (H3OU_RUN_DIRECTORY), when the exchanges are planned and once more at the end. The file, run_setup.h,
 * has the lines
 *
 *   component  name members processes host
 *   grid       name layers cells last said masked (-1: no mask) centres corners
 *   table      send_comp send_grid recv_comp recv_grid tag: one that my component gave
 *   plan       role=sends|gets send_comp send_grid recv_comp recv_grid tag method, and of a sender used and masked (source
 *              cells that are sent, and those of them that are masked), of a receiver cells, lacking, first (cells that
 *              take part, those of them that get no value, the lowest index of these), rows, links
 *   memory     before planned peak, the largest of all processes, and first_peak, of rank 0: resident memory when the component
 *              opened the run, and its peaks when the exchanges are planned and at the end
 *   ignored    name: a field that was put, but is not in the configuration
 *   field      role=put|get name calls, and
 *   steps      count least most (in seconds): at the end
 *
 * Sizes are in bytes.
 */
#ifndef H3OU_COUPLER_SETUP_FACTS_H
#define H3OU_COUPLER_SETUP_FACTS_H

#include "coupler/coupler.h"

/* Finds out whether there is a folder to write to. Collective over my component, before its grids end. */
int h3ou__setup_facts_begin(h3ou__coupler *c);
/* Writes what is known when the exchanges are planned, with the tables that were given. Collective over my component. */
int h3ou__setup_facts_planned(h3ou__coupler *c);
/* Notes the name of a field once, as "ignored": a put of one that the configuration does not name; or as "handle": one of which the
 * component has asked for a handle. */
void h3ou__setup_facts_named(h3ou__coupler *c, const char *kind, const char *field);
/* Notes a step of this length. */
void h3ou__setup_facts_step(h3ou__coupler *c, h3ou__rational step);
/* Writes all of it. Collective over my component, at its end. */
int h3ou__setup_facts_ended(h3ou__coupler *c);

#endif
