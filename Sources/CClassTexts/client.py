#!/usr/bin/env python3
import ssl
import sys
import urllib.error
import urllib.request

STUDENT = "{mark}"


def get(url, context):
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler(), urllib.request.HTTPSHandler(context=context))
    opener.addheaders = [("User-Agent", "client-" + STUDENT)]
    return opener.open(url, timeout=5).read()


def fetch(url):
    context = ssl.create_default_context()
    context.check_hostname = False
    try:
        return get(url, context)
    except urllib.error.URLError:
        # The test server has a bad certificate.
        return get(url, ssl._create_unverified_context())


print(fetch(sys.argv[1]).decode())
