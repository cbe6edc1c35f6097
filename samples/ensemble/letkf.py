# SPDX-License-Identifier: BSD-3-Clause
"""The local ensemble transform Kalman filter (Hunt, Kostelich and Szunyogh, Physica D 230, 2007, doi:10.1016/j.physd.2006.11.008): each
cell's analysis is a combination of the members, whose weights come from the observations near that cell."""
import numpy as np


def taper(distance, half_width):
    """A correlation that falls from 1 to 0 at twice half_width (Gaspari and Cohn, Q. J. R. Meteorol. Soc. 125, 1999, equation 4.10)."""
    r = np.abs(distance) / half_width
    near = 1 - 5 / 3 * r**2 + 5 / 8 * r**3 + r**4 / 2 - r**5 / 4
    with np.errstate(divide="ignore"):
        far = 4 - 5 * r + 5 / 3 * r**2 + 5 / 8 * r**3 - r**4 / 2 + r**5 / 12 - 2 / (3 * r)
    return np.where(r < 1, near, np.where(r < 2, far, 0.0))


class Filter:
    """observed: cells that are observed; sigma: standard deviation of an observation's error; half_width: of the taper, in cells;
    inflation: factor of the deviations from the mean, which sampling makes too small."""

    def __init__(self, cells, observed, sigma, half_width, inflation):
        distance = np.abs(np.arange(cells)[:, None] - observed[None, :])
        self.observed = observed
        self.precision = taper(np.minimum(distance, cells - distance), half_width) / sigma**2  # [cell][observation]
        self.inflation = inflation

    def analyse(self, forecast, observation):
        """forecast: (cell, member); observation: of the observed cells. Returns the analysis, (cell, member)."""
        members = forecast.shape[1]
        mean = forecast.mean(axis=1, keepdims=True)
        deviation = forecast - mean
        seen = deviation[self.observed]
        innovation = observation - mean[self.observed, 0]
        weighted = seen.T[None] * self.precision[:, None, :]  # [cell][member][observation]
        inverse = (members - 1) / self.inflation**2 * np.eye(members) + weighted @ seen
        value, vector = np.linalg.eigh(inverse)
        mean_weight = np.einsum("cij,cj,ckj,ck->ci", vector, 1 / value, vector, weighted @ innovation)
        transform = np.einsum("cij,cj,ckj->cik", vector, np.sqrt((members - 1) / value), vector)
        return mean + np.einsum("ci,cik->ck", deviation, transform + mean_weight[:, :, None])
