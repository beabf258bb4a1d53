  # CPU target: {{ isa.title }}
  cpuFlags = [
{% for flag in isa.flags %}
    {{ flag.padded }}  # {{ flag.note }}
{% endfor %}
  ];
