{# Shape 7: Apple silicon, Metal. No instruction set of its own: every such Mac has the same. #}
# {{ family.title }} {{ version }} for Apple silicon with Metal
# Package name: {{ name }}

{ pkgs ? import <nixpkgs> {} }:

{% if nixpkgs.rev %}
let
{% include "pytorch/parts/packages-darwin" %}
in
{% endif %}
{{ nixpkgs.set }}.{{ python.set }}.torch.overrideAttrs (oldAttrs: {
  pname = "{{ pname }}";

{% include "pytorch/parts/passthru-darwin" %}
{% include "pytorch/parts/build-darwin" %}
{% include "pytorch/parts/metadata-rev" %}

{% include "pytorch/parts/meta-darwin" %}
})
