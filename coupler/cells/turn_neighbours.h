/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turning rows of cells that follow one another into values that stand together for each cell, in squares of pieces of
 * 16 bytes. A part of pack_cells_inside.h, whose names it uses, for machines that have such pieces.
 */
typedef BITS marks_of_piece __attribute__((vector_size(sizeof(__m128i))));

enum { PIECES = IN_LINE / IN_PIECE };

/* Stores a piece, past the caches where it begins at a multiple of its size. */
static inline void store_piece(__m128i piece, bool is_past, VALUE *to)
{
    if (is_past)
        _mm_stream_si128((__m128i *)(void *)to, piece);
    else
        _mm_storeu_si128((__m128i *)(void *)to, piece);
}

/* Turns IN_PIECE rows of as many values. */
static inline void turn_square(__m128i row[IN_PIECE])
{
#if IN_16_BYTES == 2 /* values */
    __m128i a = row[0], b = row[1];
    row[0] = _mm_unpacklo_epi64(a, b);
    row[1] = _mm_unpackhi_epi64(a, b);
#else
    __m128i ac = _mm_unpacklo_epi32(row[0], row[2]), bd = _mm_unpacklo_epi32(row[1], row[3]),
            ca = _mm_unpackhi_epi32(row[0], row[2]), db = _mm_unpackhi_epi32(row[1], row[3]);
    row[0] = _mm_unpacklo_epi32(ac, bd);
    row[1] = _mm_unpackhi_epi32(ac, bd);
    row[2] = _mm_unpacklo_epi32(ca, db);
    row[3] = _mm_unpackhi_epi32(ca, db);
#endif
}

/* Turns IN_PIECE cells of `pieces` times as many rows. pieces and is_past are constants where this is inlined. */
INLINED void turn_cells(const VALUE *from, int64_t n, int64_t width, VALUE *to, int pieces, bool is_past,
                        marks_of_piece *marks)
{
    __m128i row[PIECES][IN_PIECE];
    for (int p = 0; p < pieces; p++) {
        for (int k = 0; k < IN_PIECE; k++) {
            row[p][k] = _mm_loadu_si128((const __m128i *)(const void *)(from + (p * IN_PIECE + k) * n));
            *marks |= MARK((marks_of_piece)row[p][k]);
        }
        turn_square(row[p]);
    }
    for (int k = 0; k < IN_PIECE; k++, to += width)
        for (int p = 0; p < pieces; p++)
            store_piece(row[p][k], is_past, to + p * IN_PIECE);
}

/* Returns whether the next IN_PIECE places follow one another. Places ascend. */
static inline bool are_next(const int32_t at[], int64_t count)
{
    return count >= IN_PIECE && at[IN_PIECE - 1] - at[0] == IN_PIECE - 1;
}

/* Fetches a line of each row that the next tile reads: a processor reads ahead only within a page. */
INLINED void fetch_next_tile(const VALUE *cell, int64_t n, int rows)
{
    for (int row = 0; row < rows; row++)
        __builtin_prefetch(cell + row * n + TILE);
}

/* How neighbours are turned: through the caches; the same with what the next tile reads fetched, which costs more than
 * it gains where that is in a cache; so, and past the caches. */
enum manner { PLAIN, FETCHED, PAST };

/* Turns rows of cells that ascend: those that follow one another by squares, the others through the caches, one by one.
 * rows and manner: constants where this is inlined. */
INLINED BITS turn_neighbours(const VALUE *restrict from, int64_t n, const int32_t *restrict at, int64_t count,
                             int64_t width, VALUE *restrict to, int rows, enum manner manner)
{
    const bool is_past = manner == PAST, fetches = manner != PLAIN;
    marks_of_piece marks = {0};
    BITS any = 0;
    for (int64_t i = 0, run, fetched = 0; i < count; i += run) {
        const VALUE *cell = from + at[i];
        run = h3ou__run_length(at + i, count - i);
        if (run == 0 && fetches && i >= fetched) {
            fetch_next_tile(cell, n, rows);
            fetched = i + IN_LINE;
        }
        if (run == 0 && are_next(at + i, count - i)) {
            run = IN_PIECE;
            turn_cells(cell, n, width, to + i * width, rows / IN_PIECE, is_past, &marks);
        } else if (run == 0) {
            run = 1;
            any |= turn_rows(from, n, at + i, 1, width, to + i * width, rows);
        } else {
            for (int64_t k = 0; k < run; k += IN_PIECE) {
                if (fetches && k % IN_LINE == 0)
                    fetch_next_tile(cell + k, n, rows);
                turn_cells(cell + k, n, width, to + (i + k) * width, rows / IN_PIECE, is_past, &marks);
            }
        }
    }
    for (int k = 0; k < IN_PIECE; k++)
        any |= marks[k];
    return any;
}

static BITS turn_neighbours_line(const VALUE *restrict from, int64_t n, const int32_t *restrict at, int64_t count,
                                 int64_t width, VALUE *restrict to)
{
    return turn_neighbours(from, n, at, count, width, to, IN_LINE, PLAIN);
}

static BITS turn_neighbours_half(const VALUE *restrict from, int64_t n, const int32_t *restrict at, int64_t count,
                                 int64_t width, VALUE *restrict to)
{
    return turn_neighbours(from, n, at, count, width, to, IN_LINE / 2, PLAIN);
}

static BITS turn_neighbours_line_fetched(const VALUE *restrict from, int64_t n, const int32_t *restrict at,
                                         int64_t count, int64_t width, VALUE *restrict to)
{
    return turn_neighbours(from, n, at, count, width, to, IN_LINE, FETCHED);
}

static BITS turn_neighbours_half_fetched(const VALUE *restrict from, int64_t n, const int32_t *restrict at,
                                         int64_t count, int64_t width, VALUE *restrict to)
{
    return turn_neighbours(from, n, at, count, width, to, IN_LINE / 2, FETCHED);
}

static BITS turn_neighbours_line_past_caches(const VALUE *restrict from, int64_t n, const int32_t *restrict at,
                                             int64_t count, int64_t width, VALUE *restrict to)
{
    return turn_neighbours(from, n, at, count, width, to, IN_LINE, PAST);
}

static BITS turn_neighbours_half_past_caches(const VALUE *restrict from, int64_t n, const int32_t *restrict at,
                                             int64_t count, int64_t width, VALUE *restrict to)
{
    return turn_neighbours(from, n, at, count, width, to, IN_LINE / 2, PAST);
}
