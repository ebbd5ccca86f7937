#: before pinhole proxy
own
chmod 644 ca/rootCA-key.pem
#: before pinhole ca show
fresh
pinhole ca init
#: before pinhole ca init
fresh
#: before pinhole ca uninstall
fresh
own
