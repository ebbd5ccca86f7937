"""Makes certificates whose keys follow from their names, so that a page can show their pins.

Usage: chains.py FILE SUBJECT [ISSUER] [OPTION…]    (needs the package cryptography)

FILE.pem gets the certificate, FILE.key the key, identity.pem both. The options: `ca` for an authority,
`from=DATE` and `until=DATE` (20 days from now), `name=HOST` for each name.
"""

import datetime
import hashlib
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID


def key(name):
    number = int.from_bytes(hashlib.sha256(name.encode()).digest(), "big") >> 1
    return ec.derive_private_key(number, ec.SECP256R1())


def named(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def main():
    file, subject, *words = sys.argv[1:]
    options = [word for word in words if word == "ca" or "=" in word]
    issuer = next((word for word in words if word not in options), subject)
    now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    dates = {"from": now - datetime.timedelta(hours=1), "until": now + datetime.timedelta(days=20)}
    names = []
    for option in options:
        name, _, value = option.partition("=")
        if name == "name":
            names.append(x509.DNSName(value))
        elif name in dates:
            dates[name] = datetime.datetime.fromisoformat(value)
    builder = x509.CertificateBuilder().subject_name(named(subject)).issuer_name(named(issuer))
    builder = builder.public_key(key(subject).public_key()).serial_number(x509.random_serial_number())
    builder = builder.not_valid_before(dates["from"]).not_valid_after(dates["until"])
    builder = builder.add_extension(x509.BasicConstraints("ca" in options, None), critical=True)
    builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key(subject).public_key()), critical=False)
    identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(key(issuer).public_key())
    builder = builder.add_extension(identifier, critical=False)
    if "ca" in options:
        usage = dict.fromkeys(["digital_signature", "content_commitment", "key_encipherment", "data_encipherment",
                               "key_agreement", "encipher_only", "decipher_only"], False)
        builder = builder.add_extension(x509.KeyUsage(key_cert_sign=True, crl_sign=True, **usage), critical=True)
    if names:
        # Apple's verifier asks for it.
        builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    certificate = builder.sign(key(issuer), hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    secret = key(subject).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    for path, data in [(f"{file}.pem", certificate), (f"{file}.key", secret), ("identity.pem", certificate + secret)]:
        with open(path, "wb") as output:
            output.write(data)


main()
