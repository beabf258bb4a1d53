  pname = "{{ pname }}";
{% if source.upgraded %}

  # {{ family.title }} {{ version }}, newer than this revision's.
  version = "{{ version }}";
  src = {{ nixpkgs.set }}.fetchFromGitHub {
    owner = "{{ source.owner }}";
    repo = "{{ source.repo }}";
    rev = "v{{ version }}";
    hash = "{{ source.hash }}";
  };
{% endif %}

  # By default the dev outputs are propagated, but `import torch` needs this one.
  propagatedBuildInputs = (oldAttrs.propagatedBuildInputs or [ ]) ++ [ customPytorch.out ];
