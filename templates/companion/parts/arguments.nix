{% if torch.published %}
# `catalogs` is what flox hands to recipes that ask for it.
{ pkgs ? import <nixpkgs> {{ nixpkgs.caller }}, catalogs }:
{% else %}
{ pkgs ? import <nixpkgs> {{ nixpkgs.caller }} }:
{% endif %}
