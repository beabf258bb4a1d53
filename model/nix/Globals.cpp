// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Scopes.h"

#include <algorithm>

namespace tmx::nix {

namespace {

// What `nix-instantiate --parse` of Nix 2.26.3 takes without a definition; tests/model/nix asks it again. Sorted.
constexpr std::string_view globals[] = {
    "__add", "__addDrvOutputDependencies", "__addErrorContext", "__all", "__any", "__appendContext", "__attrNames", "__attrValues",
    "__bitAnd", "__bitOr", "__bitXor", "__catAttrs", "__ceil", "__compareVersions", "__concatLists", "__concatMap", "__concatStringsSep",
    "__convertHash", "__currentSystem", "__currentTime", "__deepSeq", "__div", "__elem", "__elemAt", "__fetchurl", "__filter",
    "__filterSource", "__findFile", "__floor", "__foldl'", "__fromJSON", "__functionArgs", "__genList", "__genericClosure", "__getAttr",
    "__getContext", "__getEnv", "__groupBy", "__hasAttr", "__hasContext", "__hashFile", "__hashString", "__head", "__intersectAttrs",
    "__isAttrs", "__isBool", "__isFloat", "__isFunction", "__isInt", "__isList", "__isPath", "__isString", "__langVersion", "__length",
    "__lessThan", "__listToAttrs", "__mapAttrs", "__match", "__mul", "__nixPath", "__nixVersion", "__parseDrvName", "__partition",
    "__path", "__pathExists", "__readDir", "__readFile", "__readFileType", "__replaceStrings", "__seq", "__sort", "__split",
    "__splitVersion", "__storeDir", "__storePath", "__stringLength", "__sub", "__substring", "__tail", "__toFile", "__toJSON",
    "__toPath", "__toXML", "__trace", "__traceVerbose", "__tryEval", "__typeOf", "__unsafeDiscardOutputDependency",
    "__unsafeDiscardStringContext", "__unsafeGetAttrPos", "__warn", "__zipAttrsWith", "abort", "baseNameOf", "break", "builtins",
    "derivation", "derivationStrict", "dirOf", "false", "fetchGit", "fetchMercurial", "fetchTarball", "fromTOML", "import", "isNull",
    "map", "null", "placeholder", "removeAttrs", "scopedImport", "throw", "toString", "true",
};
static_assert(std::ranges::is_sorted(globals));

} // namespace

bool isGlobal(std::string_view name)
{
    return std::ranges::binary_search(globals, name);
}

} // namespace tmx::nix
