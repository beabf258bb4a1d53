{% if metadata_rev %}

  # A change of meta alone keeps the store path, so catalogs would not notice it: this number changes the path.
  postInstall = (oldAttrs.postInstall or "") + ''
    echo {{ metadata_rev }} > $out/.metadata-rev
  '';
{% endif %}
