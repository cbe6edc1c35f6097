# SPDX-License-Identifier: BSD-3-Clause
"""A small network (two hidden layers, tanh) that learns by Adam: with PyTorch, or with NumPy alone. Both start from the same weights,
keep them in the same form, and take the same steps, so that weights which one has learned serve the other."""
import importlib.util

import numpy as np

HIDDEN = 32
RATE, SLOWER, BETA1, BETA2, TINY = 4e-3, 1500, 0.9, 0.999, 1e-8


def first_weights(inputs, outputs, seed):
    """Returns weights and biases of the three layers: [(inputs, HIDDEN), (HIDDEN), ...]."""
    rng = np.random.default_rng(seed)
    sizes = (inputs, HIDDEN, HIDDEN, outputs)
    return [w for a, b in zip(sizes, sizes[1:]) for w in (rng.normal(0, 1 / np.sqrt(a), (a, b)), np.zeros(b))]


def rate_at(step):
    return RATE / (1 + step / SLOWER)


class NumpyNetwork:
    """The derivatives are written out: backwards through the layers that predict() goes forwards through."""
    name = "NumPy"

    def __init__(self, weights):
        self._weights = [np.array(w) for w in weights]
        self._first = [np.zeros_like(w) for w in self._weights]
        self._second = [np.zeros_like(w) for w in self._weights]
        self._steps = 0

    @staticmethod
    def zeros(cells, layers):
        """Returns an array that get fills without a copy."""
        return np.zeros((cells, layers), order="F")

    def weights(self):
        return self._weights

    def _forward(self, x):
        w1, b1, w2, b2, w3, b3 = self._weights
        h1 = np.tanh(x @ w1 + b1)
        h2 = np.tanh(h1 @ w2 + b2)
        return h1, h2, h2 @ w3 + b3

    def predict(self, x):
        return self._forward(x)[2]

    def train(self, x, y):
        """Takes one step towards y = predict(x). Returns the mean squared error before it."""
        _, _, w2, _, w3, _ = self._weights
        h1, h2, out = self._forward(x)
        d3 = 2 * (out - y) / y.size
        d2 = d3 @ w3.T * (1 - h2**2)
        d1 = d2 @ w2.T * (1 - h1**2)
        self._adam([x.T @ d1, d1.sum(0), h1.T @ d2, d2.sum(0), h2.T @ d3, d3.sum(0)])
        return float(np.mean((out - y)**2))

    def _adam(self, slopes):
        rate = rate_at(self._steps)
        self._steps += 1
        for w, m, v, slope in zip(self._weights, self._first, self._second, slopes):
            m += (1 - BETA1) * (slope - m)
            v += (1 - BETA2) * (slope**2 - v)
            w -= rate * m / (1 - BETA1**self._steps) / (np.sqrt(v / (1 - BETA2**self._steps)) + TINY)


class TorchNetwork:
    """PyTorch finds the derivatives. Values are float64, as fields are: what predict() returns is put as it is."""
    name = "PyTorch"

    def __init__(self, weights):
        import torch
        self._torch = torch
        torch.set_num_threads(1)
        self._weights = [torch.tensor(w, dtype=torch.float64, requires_grad=True) for w in weights]
        self._adam = torch.optim.Adam(self._weights, lr=RATE, betas=(BETA1, BETA2), eps=TINY)
        self._slower = torch.optim.lr_scheduler.LambdaLR(self._adam, lambda step: rate_at(step) / RATE)

    def zeros(self, cells, layers):
        return self._torch.zeros((layers, cells), dtype=self._torch.float64).T

    def weights(self):
        return [w.detach().numpy() for w in self._weights]

    def _forward(self, x):
        w1, b1, w2, b2, w3, b3 = self._weights
        return self._torch.tanh(self._torch.tanh(self._torch.from_numpy(x) @ w1 + b1) @ w2 + b2) @ w3 + b3

    def predict(self, x):
        with self._torch.no_grad():
            return self._forward(x)

    def train(self, x, y):
        loss = self._torch.mean((self._forward(x) - self._torch.from_numpy(y))**2)
        self._adam.zero_grad()
        loss.backward()
        self._adam.step()
        self._slower.step()
        return loss.item()


def network(kind, weights):
    """kind: "numpy", "torch", or "auto": PyTorch where it is installed."""
    has_torch = importlib.util.find_spec("torch") is not None
    if kind == "torch" and not has_torch:
        raise SystemExit("PyTorch is not installed (python3-torch): take --learner numpy")
    return TorchNetwork(weights) if kind == "torch" or kind == "auto" and has_torch else NumpyNetwork(weights)
