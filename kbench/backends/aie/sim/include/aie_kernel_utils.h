// Hints about loops: they change no result.
#pragma once
