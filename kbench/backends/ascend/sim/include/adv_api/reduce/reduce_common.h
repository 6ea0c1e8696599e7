// Patterns of reductions: R is an axis that is reduced, A one that stays.
#pragma once

namespace AscendC {
namespace Pattern {
namespace Reduce {

struct R {};
struct RA {};
struct AR {};
struct ARA {};
struct ARAR {};
struct ARARA {};
struct ARARAR {};
struct ARARARA {};
struct ARARARAR {};
struct ARARARARA {};
struct RAR {};
struct RARA {};
struct RARAR {};
struct RARARA {};
struct RARARAR {};
struct RARARARA {};

}  // namespace Reduce
}  // namespace Pattern
}  // namespace AscendC
