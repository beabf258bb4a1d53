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

  # By default the dev output of what is propagated is taken, and `import torch` needs this one.
  propagatedBuildInputs = (oldAttrs.propagatedBuildInputs or [ ]) ++ [ customPytorch.out ];
