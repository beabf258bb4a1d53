# shellcheck shell=bash
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# What each folder may include besides itself. Arrows run from right to left of this list only, so there is no circle.
declare -A may=(
    [model/base]=''
    [model/toml]='model/base'
    [model/nix]='model/base model/toml'
    [model/catalog]='model/base model/toml'
    [model/settings]='model/base model/toml model/catalog'
    [model/git]='model/base'
    [model/recipe]='model/base model/nix model/catalog'
    [model/meaning]='model/base model/nix model/recipe'
    [model/template]='model/base model/nix model/catalog model/settings model/recipe model/meaning'
    [model/audit]='model/base model/nix model/catalog model/settings model/recipe'
    [model/snapshot]='model/base model/toml model/catalog model/settings model/recipe model/meaning model/template model/audit model/git'
    [model/compare]='model/base model/toml model/catalog model/settings model/recipe model/meaning model/template model/audit model/git model/snapshot'
    [model/export]='model/base model/catalog model/recipe model/snapshot'
    [model/change]='model/base model/toml model/catalog model/settings model/recipe model/meaning model/template model/audit model/git model/snapshot model/compare model/export'
    [model/hardware]='model/base model/catalog'
    [model/log]='model/base'
    [model/outcome]='model/base model/catalog model/log'
    [model/history]='model/base model/outcome'
    [model/job]='model/base model/nix model/catalog model/log model/outcome model/history'
    [model/fleet]='model/base model/catalog model/settings model/recipe model/audit model/git model/snapshot model/compare model/job model/history model/outcome model/log'
    [model/matrix]='model/base model/catalog model/recipe model/audit model/git model/snapshot model/compare model/fleet model/outcome model/hardware'
    [model/builds]='model/base model/catalog model/settings model/recipe model/audit model/git model/snapshot model/compare model/fleet model/hardware model/log model/outcome model/history model/job'
    [model/workspace]='model'
    [views]='model'
    [app]='model views'
)

# reached FOLDER...: these folders and all that may include them, one a line.
reached() {
    local folder allowed grown=yes
    local -A found=()
    for folder; do found[$folder]=yes; done
    while [[ -n $grown ]]; do
        grown=
        for folder in "${!may[@]}"; do
            [[ -z ${found[$folder]:-} ]] || continue
            for allowed in ${may[$folder]}; do
                if [[ -n ${found[${allowed%/*.h}]:-} || ($allowed == model && " ${!found[*]}" == *' model/'*) ]]; then found[$folder]=yes grown=yes; fi
            done
        done
    done
    printf '%s\n' "${!found[@]}" | sort
}
