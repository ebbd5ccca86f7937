"""The handshakes of the mock console."""
import base64
import hashlib


def _certificate(subject, issuer, names, seed, before, after, ca=False):
    digest = hashlib.sha256(seed.encode()).digest()
    pin = base64.b64encode(digest).decode()
    host = names[0] if names else "example.test"
    return {
        "subject": subject, "issuer": issuer, "names": names, "serial": digest[:18].hex(), "notBefore": before, "notAfter": after,
        "key": {"type": "EC", "bits": 256, "description": "EC P-256"}, "signature": "ecdsa-with-SHA256", "sha256": hashlib.sha256(digest).hexdigest(),
        "derBase64": base64.b64encode(digest * 12).decode(),
        "extensions": [
            {"oid": "2.5.29.19", "name": "Basic Constraints", "critical": True, "text": "CA: true" if ca else "CA: false"},
            {"oid": "2.5.29.15", "name": "Key Usage", "critical": True, "text": "keyCertSign, cRLSign" if ca else "digitalSignature"},
            *([] if ca else [{"oid": "2.5.29.37", "name": "Extended Key Usage", "critical": False, "text": "serverAuth"},
                             {"oid": "2.5.29.17", "name": "Subject Alternative Name", "critical": False, "text": "DNS:" + host}]),
        ],
        "pins": {
            "spki-sha256": "sha256/" + pin, "spki-sha256-hex": digest.hex(), "hpkp": f'Public-Key-Pins: pin-sha256="{pin}"; max-age=5184000',
            "okhttp": f"{host} sha256/{pin}", "curl": "sha256//" + pin, "tlsa-3-1-1": f"_443._tcp.{host}. IN TLSA 3 1 1 {digest.hex()}",
            "android": f'<network-security-config>\n    <domain-config>\n        <domain includeSubdomains="false">{host}</domain>\n'
                       f'        <pin-set>\n            <pin digest="SHA-256">{pin}</pin>\n        </pin-set>\n    </domain-config>\n</network-security-config>',
            "ios-ats": f"<key>NSPinnedDomains</key>\n<dict>\n    <key>{host}</key>\n    <dict>\n        <key>SPKI-SHA256-BASE64</key>\n        <string>{pin}</string>\n    </dict>\n</dict>",
            "trustkit": f"<key>TSKPublicKeyHashes</key>\n<array>\n    <string>{pin}</string>\n</array>",
        },
    }


def chains(host):
    real = [
        _certificate(f"CN={host}", "CN=Example Test Issuing CA,O=Example Test", [host, "www." + host], "r" + host,
                     "2026-11-01T00:00:00Z", "2027-01-15T00:00:00Z"),
        _certificate("CN=Example Test Issuing CA,O=Example Test", "CN=Example Test Root CA,O=Example Test", [], "issuing",
                     "2025-11-21T16:44:32Z", "2027-11-21T16:44:32Z", ca=True),
        _certificate("CN=Example Test Root CA,O=Example Test", "CN=Example Test Root CA,O=Example Test", [], "root",
                     "2025-11-21T16:44:32Z", "2035-11-21T16:44:32Z", ca=True),
    ]
    forged = [
        _certificate(f"CN={host}", "CN=Pinhole CA (vm 2026-11-21),O=Pinhole interception proxy", [host, "www." + host], "f" + host,
                     "2026-11-21T14:44:32Z", "2027-01-05T14:44:31Z"),
        _certificate("CN=Pinhole CA (vm 2026-11-21),O=Pinhole interception proxy",
                     "CN=Pinhole CA (vm 2026-11-21),O=Pinhole interception proxy", [], "pinhole",
                     "2026-11-21T14:44:32Z", "2036-11-20T16:44:32Z", ca=True),
    ]
    return real, forged


def handshakes(item, spec):
    """The answer of /api/flows/ID/tls, or `None` without TLS."""
    if item.get("scheme") == "http" or item.get("treatment") == "passedThrough":
        return None
    host = item["host"]
    real, forged = chains(host)
    client = {"version": "TLSv1.3", "cipher": "TLS_AES_256_GCM_SHA384", "applicationProtocol": "h2", "serverName": host, "isResumed": False,
              "milliseconds": 4.2, "requestedClientCertificate": False}
    server = {"version": "TLSv1.2", "cipher": "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "applicationProtocol": "h2", "serverName": host,
              "isResumed": False, "milliseconds": 18.6, "requestedClientCertificate": False, "verification": "the chain leads to a trusted CA"}
    answer = {"client": client, "server": server, "chains": {"real": real, "forged": forged},
              "differences": [{"field": name, "real": real[0][name],
                               "forged": forged[0][name]} for name in ("issuer", "serial", "notBefore", "notAfter", "sha256")],
              "clientHello": {"serverName": host, "applicationProtocols": ["h2", "http/1.1"], "versions": [772, 771],
                              "cipherSuites": [4866, 4867, 4865, 49196, 49200], "extensions": [0, 11, 10, 16, 22, 23, 13, 43, 45, 51],
                              "groups": [29, 23, 4588], "signatureSchemes": [1027, 2052, 1025]},
              "signatureSchemes": ["ecdsa_secp256r1_sha256", "rsa_pss_rsae_sha256", "rsa_pkcs1_sha256"],
              "dials": [{"address": "[2001:db8::7]:443", "milliseconds": 250.0, "failure": "no route to host"},
                        {"address": "192.0.2.7:443", "milliseconds": 11.2}]}
    failure = item.get("handshakeFailure")
    if failure:
        answer[failure["peer"]] = {**answer[failure["peer"]], "failure": failure}
        if failure["peer"] == "server":
            answer["server"]["verification"] = "the certificate expired on 2026-10-22T16:44:32Z"
        answer["cause"] = spec.get("cause", failure["detail"])
        answer["remedy"] = spec.get("remedy", "Trust Pinhole's CA in the client, or let the host pass: tls.passthrough.")
    return answer
