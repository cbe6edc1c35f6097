#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes coads_2deg.nc from the COADS climatology of Debian's package ferret-datasets.

    /usr/bin/python3 make_data.py /usr/share/ferret-vis/data/coads_climatology.cdf coads_2deg.nc
"""
import sys

import netCDF4
import numpy as np

source, target = sys.argv[1:3]
with netCDF4.Dataset(source) as s, netCDF4.Dataset(target, "w", format="NETCDF4") as t:
    lon, lat = s["COADSX"][:], s["COADSY"][:]
    t.title = "Monthly climatology of the sea surface on a 2-degree grid (COADS), a subset"
    t.source = "coads_climatology.cdf of Debian's package ferret-datasets: NOAA/PMEL's climatology of the Comprehensive " \
               "Ocean-Atmosphere Data Set, 1946-1989"
    t.history = "made by make_data.py: SST for all months, the rest for January, packed to 16 bits"
    t.Conventions = "CF-1.8"
    t.createDimension("month", 12)
    t.createDimension("lat", lat.size)
    t.createDimension("lon", lon.size)
    for name, values, units in (("lon", lon, "degrees_east"), ("lat", lat, "degrees_north")):
        v = t.createVariable(name, "f8", (name,))
        v.units = units
        v.standard_name = {"lon": "longitude", "lat": "latitude"}[name]
        v[:] = values
    for name, long_name, units, months, scale in (
            ("SST", "sea surface temperature", "degC", 12, 0.02), ("AIRT", "air temperature", "degC", 1, 0.02),
            ("UWND", "zonal wind", "m s-1", 1, 0.02), ("VWND", "meridional wind", "m s-1", 1, 0.02)):
        dims = ("month", "lat", "lon") if months > 1 else ("lat", "lon")
        v = t.createVariable(name, "i2", dims, zlib=True, complevel=9, shuffle=True, fill_value=-32768)
        v.long_name, v.units, v.scale_factor, v.add_offset = long_name, units, scale, 0.0
        values = np.ma.masked_invalid(s[name][:months])
        values = np.ma.masked_where(np.abs(values) > 1000, values)
        v[:] = values if months > 1 else values[0]
