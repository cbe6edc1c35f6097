# SPDX-License-Identifier: BSD-3-Clause
"""Two components that give coordinates, not tables: what the library makes of a grid, a vector and a share from Python.

    sphere.py fine|coarse CONFIG [handles]

With handles, puts and gets are given these in place of names. The fine grid sends. Boxes of longitude and latitude; the last row of the fine grid's is masked.
"""
import sys

import numpy as np

import h3ou

me, config = sys.argv[1:3]
bad = 0


def expect(true, what):
    global bad
    if not true:
        bad = 1
        print(f"not true: {what} in {me} {rank}", file=sys.stderr)


def boxes(nx, ny):
    """Corners (ncell, 4) in degrees, x fastest."""
    west, south = (a.ravel() for a in np.meshgrid(np.arange(nx) * 360 / nx, np.arange(ny) * 180 / ny - 90))
    east, north = west + 360 / nx, south + 180 / ny
    return np.stack([west, east, east, west], 1), np.stack([south, south, north, north], 1)


def area(lon, lat):
    lon, lat = np.radians(lon), np.radians(lat)
    return (lon[:, 1] - lon[:, 0]) * (np.sin(lat[:, 2]) - np.sin(lat[:, 0]))


def wave(lon, lat):
    return 2 + np.cos(np.radians(lat)) ** 2 * np.cos(np.radians(2 * lon))


def total(values):
    """Summed over my component."""
    parts = [h3ou.h3ou_bcast_local_double(pe, np.array([values.sum()]))[0] for pe in range(nproc)]
    return sum(parts)


def by(name):
    return h3ou.h3ou_field(name) if "handles" in sys.argv else name


h3ou.h3ou_init(me, config)
rank, nproc = h3ou.h3ou_get_my_rank(), h3ou.h3ou_get_my_size()
nx, ny = (36, 18) if me == "fine" else (20, 10)
lon_corners, lat_corners = boxes(nx, ny)
mine = np.arange(rank, nx * ny, nproc)
lon_corners, lat_corners = lon_corners[mine], lat_corners[mine]
lon, lat = lon_corners[:, :2].mean(1), lat_corners[:, 1:3].mean(1)
index, inside = mine + 1, mine < nx * (ny - 1)
if me == "fine":
    h3ou.h3ou_def_grid(index, me, "fine_g", 2, lon, lat, np.asfortranarray(lon_corners), lat_corners, mask=inside,
                       shape=(nx, ny), cyclic=True)
else:  # radians, and vectors along north and west
    h3ou.h3ou_def_grid(index, me, "coarse_g", 2, *np.radians([lon, lat]), *np.radians([lon_corners, lat_corners]), units="radians",
                       angle=np.full(mine.size, np.pi / 2), shape=(nx, ny), cyclic=True)
h3ou.h3ou_end_grid_def()
if me == "fine":
    cells, ones = np.arange(1, 21), np.ones(20)
    h3ou.h3ou_set_interpolation_table(me, "fine", "fine_g", "coarse", "coarse_g", 2, cells, cells[::-1], 2 * ones, 0.6 * ones,
                                      0.8 * ones)
else:
    h3ou.h3ou_set_interpolation_table_no_index(me, "fine", "fine_g", "coarse", "coarse_g", 2)
time = np.array([2000, 1, 1, 0, 0, 0])
h3ou.h3ou_init_time(time)
if me == "fine":
    field = np.where(inside, wave(lon, lat), np.nan)  # what is masked must not be seen
    layers = np.stack([field, np.full(mine.size, 7.0)], 1)
    h3ou.h3ou_put_data_25d(by("wave"), layers)
    h3ou.h3ou_put_data_1d(by("wind"), np.cos(np.radians(lat)), np.zeros(mine.size))  # to the east
    east = np.stack([-np.sin(np.radians(lon)), np.cos(np.radians(lon)), 0 * lon]) * np.cos(np.radians(lat))
    h3ou.h3ou_put_data_xyz(by("circling"), *(np.stack([a, 2 * a], 1) for a in east))
    h3ou.h3ou_put_data_1d(by("raised"), np.cos(np.radians(lat)), np.zeros(mine.size))
    ice = (lat > 0).astype(float)
    h3ou.h3ou_put_data_1d(by("ice"), np.where(ice > 0, 3.0, 1e30), share=ice)
    h3ou.h3ou_put_data_1d(by("drift"), np.where(ice > 0, np.cos(np.radians(lat)), 1e30), np.zeros(mine.size), share=ice)
    h3ou.h3ou_put_data_xyz(by("floes"), *np.where(ice > 0, east, 1e30), share=ice)
    h3ou.h3ou_put_data_25d(by("turned"), np.stack([index, 2 * index], 1), data_vector=np.stack([-index, 0 * index], 1))
    h3ou.h3ou_set_time_seconds(me, 0.0, 3600.0)
    h3ou.h3ou_send_scalar("coarse", np.float64(total((field * area(lon_corners, lat_corners))[inside])))
else:
    h3ou.h3ou_set_time(me, time, 3600)
    layers = np.zeros((mine.size, 2))
    expect(h3ou.h3ou_get_data_25d(by("wave"), layers), "wave comes")
    field, cell = layers[:, 0], area(lon_corners, lat_corners)
    expect(np.isfinite(layers).all(), "all cells are covered")
    expect(np.abs(layers[:, 1] - 7).max() < 1e-12, "a constant stays")
    rows = lat < 70
    expect(np.abs(field - wave(lon, lat))[rows].max() < 0.2, "the wave stays where it was")
    part = cell.copy()  # of the last row, what lies under the fine grid's cells that count
    last = lat_corners[:, 2] > 80
    part[last] *= (np.sin(np.radians(80)) - np.sin(np.radians(72))) / (1 - np.sin(np.radians(72)))
    sent, got = h3ou.h3ou_recv_scalar("fine", np.float64(0)), total(field * part)
    expect(abs(got - sent) < 1e-12 * abs(sent), f"conserved: {got} of {sent}")
    north, west = np.full((2, mine.size), -9.0)
    expect(h3ou.h3ou_get_data_1d(by("wind"), north, west), "wind comes")
    expect(np.abs(north[rows]).max() < 0.02, "no wind to the north")
    expect(np.abs(west + np.cos(np.radians(lat)))[rows].max() < 0.06, "the wind blows to the east")
    both = np.zeros((2, mine.size, 2))
    expect(h3ou.h3ou_get_data_25d(by("circling"), *both), "circling comes")
    expect(np.allclose(both[0, :, 0], north) and np.allclose(both[1, :, 1], 2 * west), "three components as two")
    xyz = np.zeros((3, mine.size))
    expect(h3ou.h3ou_get_data_xyz(by("raised"), *xyz), "raised comes")
    expect(np.allclose(-np.sin(np.radians(lon)) * xyz[0] + np.cos(np.radians(lon)) * xyz[1], -west), "two components as three")
    ice = np.zeros(mine.size)
    expect(h3ou.h3ou_get_data_1d(by("ice"), ice), "ice comes")
    expect((ice[lat < -9] == -1).all() and np.abs(ice[rows & (lat > 0)] - 3).max() < 1e-12, "what counts, and what is missing")
    drift = np.zeros((2, mine.size))
    expect(h3ou.h3ou_get_data_1d(by("drift"), *drift), "the drift comes")
    inside = rows & (lat > 0)
    expect((drift[:, lat < -9] == -1).all() and np.abs(drift[:, inside] - [north[inside], west[inside]]).max() < 1e-12, "a vector with shares")
    floes = np.zeros((2, mine.size))
    expect(h3ou.h3ou_get_data_1d(by("floes"), *floes), "the floes come")
    expect(np.abs(floes - drift).max() < 1e-12, "three components with shares as two")
    u, v = np.full((2, mine.size, 2), -9.0)
    expect(h3ou.h3ou_get_data_25d(by("turned"), u, data_vector=v), "turned comes")
    source = 21.0 - index  # of the first 20 cells
    for layer, (a, b) in enumerate(((source, -source), (2 * source, 0 * source))):
        here = source > 0
        expect(np.allclose(u[here, layer], 2 * (0.6 * a - 0.8 * b)[here]), "the first component, turned")
        expect(np.allclose(v[here, layer], 2 * (0.8 * a + 0.6 * b)[here]), "the second component, turned")
        expect((u[~here] == -9).all() and (v[~here] == -9).all(), "cells that the table does not cover")
h3ou.h3ou_inc_time(time, 3600)
worst = max(h3ou.h3ou_bcast_local_int(pe, [bad])[0] for pe in range(nproc))
h3ou.h3ou_coupling_end(time)
sys.exit(int(worst))
