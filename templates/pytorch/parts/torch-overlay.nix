      # PyTorch {{ torch.version }}, newer than this revision's.
{% if python.overlay_attribute != python.attribute %}
      # Take torch from python3Packages below: {{ python.attribute }} is the same Python, and still has the old one.
{% endif %}
      (final: prev: {
        {{ python.overlay_attribute }} = prev.{{ python.overlay_attribute }}.override {
          overrides = pfinal: pprev: {
            torch = pprev.torch.overrideAttrs (oldAttrs: rec {
              version = "{{ torch.version }}";
              src = prev.fetchFromGitHub {
                owner = "pytorch";
                repo = "pytorch";
                rev = "v${version}";
                fetchSubmodules = true;
                hash = "{{ torch.hash }}";
              };
              patches = [ ];  # nixpkgs' patches are for the older source
            });
          };
        };
      })
