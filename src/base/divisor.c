// Small prime factors are found by trial. What is left is then 1, a prime, or the product of two
// primes, since it has no factor up to its cube root; Pollard's rho takes such a product apart in a
// number of steps of the order of its fourth root.
#include "base/divisor.h"

#include "base/checked.h"
#include "base/wide.h"

#include <stdbool.h>

enum { TRIAL_END = 1 << 21, MOST_FACTORS = 64 };

static uint64_t multiply_mod(uint64_t a, uint64_t b, uint64_t modulus)
{
    return (uint64_t)((Uint128)a * b % modulus);
}

static uint64_t power_mod(uint64_t base, uint64_t exponent, uint64_t modulus)
{
    uint64_t result = 1;
    for (base %= modulus; exponent; exponent >>= 1) {
        if (exponent & 1)
            result = multiply_mod(result, base, modulus);
        base = multiply_mod(base, base, modulus);
    }
    return result;
}

// Miller and Rabin's test. These bases are enough for every number of 64 bits.
static bool is_prime(uint64_t number)
{
    static const uint64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    int shift = __builtin_ctzll(number - 1);
    for (uint64_t i = 0; i < COUNT_OF(bases); i++) {
        uint64_t value = power_mod(bases[i], (number - 1) >> shift, number);
        bool passes = value <= 1 || value == number - 1;
        for (int k = 1; k < shift && !passes; k++) {
            value = multiply_mod(value, value, number);
            passes = value == number - 1;
        }
        if (!passes)
            return false;
    }
    return true;
}

// A factor of a composite number without small ones.
static uint64_t find_factor(uint64_t number)
{
    for (uint64_t step = 1;; step++) {
        uint64_t slow = 2, fast = 2, factor = 1;
        while (factor == 1) {
            slow = (multiply_mod(slow, slow, number) + step) % number;
            fast = (multiply_mod(fast, fast, number) + step) % number;
            fast = (multiply_mod(fast, fast, number) + step) % number;
            uint64_t apart = slow > fast ? slow - fast : fast - slow;
            factor = (uint64_t)gcd_i64((int64_t)apart, (int64_t)number);
        }
        if (factor != number)
            return factor;
    }
}

typedef struct {
    int64_t primes[MOST_FACTORS]; // each as often as it divides
    int count;
} Factors;

static Factors factors_of(int64_t number)
{
    Factors factors = {0};
    for (int64_t prime = 2; prime < TRIAL_END && prime * prime <= number; prime++)
        for (; number % prime == 0; number /= prime)
            factors.primes[factors.count++] = prime;
    if (number == 1)
        return factors;
    bool small = number < (int64_t)TRIAL_END * TRIAL_END;
    if (small || is_prime((uint64_t)number)) {
        factors.primes[factors.count++] = number;
        return factors;
    }
    int64_t factor = (int64_t)find_factor((uint64_t)number);
    factors.primes[factors.count++] = factor;
    factors.primes[factors.count++] = number / factor;
    return factors;
}

// The best product of primes from `first` on, times `product`. Equal primes stand together, so that
// each choice is made once.
static int64_t search(const Factors *factors, int first, int64_t product, int64_t least,
                      int64_t best)
{
    if (product >= least)
        return min_i64(product, best);
    for (int i = first; i < factors->count; i++) {
        bool again = i > first && factors->primes[i] == factors->primes[i - 1];
        // more of it would be larger than the best there is
        if (again || product > best / factors->primes[i])
            continue;
        best = search(factors, i + 1, product * factors->primes[i], least, best);
    }
    return best;
}

int64_t divisor_at_least(int64_t number, int64_t least)
{
    if (number % least == 0)
        return least;
    Factors factors = factors_of(number);
    return search(&factors, 0, 1, least, number);
}
