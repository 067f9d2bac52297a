// SPDX-License-Identifier: MIT
#include "clientlibrary.h"

#include <dlfcn.h>

namespace lockscope {

void *clientFunction(const char *name)
{
    void *const library = ::dlopen("libmariadb.so.3", RTLD_LAZY | RTLD_NOLOAD);
    return library ? ::dlsym(library, name) : nullptr;
}

} // namespace lockscope
