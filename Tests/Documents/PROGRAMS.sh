#: before pinhole proxy --listen
own
cp "$REPOSITORY"/docs/examples/interceptors/mark.py .
origin 18099 '/item.json {"item": "teapot"}\n'
