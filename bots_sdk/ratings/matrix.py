"""The little linear algebra that the table needs: symmetric positive definite systems."""

from __future__ import annotations

from math import sqrt

Matrix = list[list[float]]


class Singular(ValueError):
    """The matrix is not positive definite."""


def cholesky(a: Matrix) -> Matrix:
    """The lower triangle L with L L' = a.

    Raises:
        Singular: `a` is not positive definite.

    """
    rows: Matrix = []
    for i, source in enumerate(a):
        row: list[float] = []
        for j in range(i):
            other = rows[j]
            row.append((source[j] - sum(map(float.__mul__, row, other))) / other[j])
        pivot = source[i] - sum(x * x for x in row)
        if pivot <= 1e-13 * abs(source[i]):
            raise Singular(f"row {i} depends on the rows before it")
        row.append(sqrt(pivot))
        rows.append(row)
    return rows


def solve(lower: Matrix, b: list[float]) -> list[float]:
    """X with L L' x = b."""
    size = len(lower)
    y: list[float] = []
    for row, value in zip(lower, b, strict=True):
        y.append((value - sum(map(float.__mul__, row, y))) / row[-1])
    for i in range(size - 1, -1, -1):
        y[i] /= lower[i][i]
        solved = y[i]
        for j, factor in enumerate(lower[i][:-1]):
            y[j] -= factor * solved
    return y


def inverse(lower: Matrix) -> Matrix:
    """The inverse of L L', row by row."""
    size = len(lower)
    return [solve(lower, [float(i == j) for j in range(size)]) for i in range(size)]
