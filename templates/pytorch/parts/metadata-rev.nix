{% if metadata_rev %}

  # A change of meta alone gives the same store path, which no catalog would notice: this number makes it another.
  postInstall = (oldAttrs.postInstall or "") + ''
    echo {{ metadata_rev }} > $out/.metadata-rev
  '';
{% endif %}
