#: before pinhole config check bad.json
echo '{"proxy": {"lsiten": []}}' >bad.json
#: before pinhole run
pinhole ca init
echo '{"name": "other"}' >config.json
#: before pinhole run -- true
fresh
echo '{"programs": {"mark": {"command": ["./mark.sh"], "at": ["request"]}}, "tls": {"badCertificate": "mirror"}}' >config.json
echo '#!/bin/sh' >mark.sh
#: before pinhole explain
fresh
echo '{"tls": {"passthrough": ["*.bank.example"]}}' >config.json
#: before pinhole config check
echo '{"upstream": {"proxy": "environment"}}' >config.json
export https_proxy=http://me:secret@proxy.corp:3128 no_proxy=localhost,corp.example,10.0.0.0/8
#: before https_proxy
unset https_proxy no_proxy
pinhole config trust
