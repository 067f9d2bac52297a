// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/qglobal.h>

/// Marks what the engine's shared library exports. Static builds define LOCKSCOPE_STATIC.
#if defined(LOCKSCOPE_STATIC)
#    define LOCKSCOPE_EXPORT
#else
#    define LOCKSCOPE_EXPORT Q_DECL_EXPORT // the same for who makes and who uses it: ELF has no import
#endif
