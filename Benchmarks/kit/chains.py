"""A folder of chains, and cases about them as `pinhole judge --cases` reads them."""
import base64
import hashlib
import json
import random
import subprocess

KEYS = {"ec": ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], "rsa": ["rsa:2048"]}
AUTHORITY = "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n" \
    "subjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n"
LEAF = "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\n" \
    "subjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n"
LEAVES = 25


def _openssl(*arguments):
    return subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True).stdout


def _signed(folder, stem, subject, kind, issuer, extensions):
    """Makes a key and its certificate, signed by `issuer` (or by itself)."""
    _openssl("req", "-newkey", *KEYS[kind], "-nodes", "-subj", f"/CN={subject}",
             "-keyout", folder / f"{stem}.key", "-out", folder / f"{stem}.csr")
    (folder / "extensions").write_text(extensions)
    signer = ["-signkey", folder / f"{stem}.key"] if issuer is None else \
        ["-CA", folder / f"{issuer}.pem", "-CAkey", folder / f"{issuer}.key", "-CAcreateserial"]
    _openssl("x509", "-req", "-in", folder / f"{stem}.csr", *signer, "-days", 365,
             "-extfile", folder / "extensions", "-out", folder / f"{stem}.pem")


def _pin(path):
    key = _openssl("x509", "-in", path, "-noout", "-pubkey")
    der = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "DER"], input=key, check=True,
                         capture_output=True).stdout
    return base64.b64encode(hashlib.sha256(der).digest()).decode()


def make(folder):
    """Makes 50 chains of three; gives (name, pin) of each leaf by the kind of key."""
    leaves = {}
    for kind in KEYS:
        _signed(folder, f"{kind}-root", f"{kind} root", kind, None, AUTHORITY)
        _signed(folder, f"{kind}-authority", f"{kind} authority", kind, f"{kind}-root", AUTHORITY)
        for number in range(LEAVES):
            name = f"{kind}{number}.bench.test"
            _signed(folder, name, name, kind, f"{kind}-authority", LEAF + f"subjectAltName=DNS:{name}\n")
            leaves[name] = _pin(folder / f"{name}.pem")
    return leaves


def cases(folder, leaves, count, seed=7):
    """Writes cases.jsonl: mechanisms, hosts and moments at random, two thirds of them good; gives its path."""
    dice = random.Random(seed)
    names = sorted(leaves)
    path = folder / "cases.jsonl"
    year = int(_openssl("x509", "-in", folder / f"{names[0]}.pem", "-noout", "-enddate").split()[3])
    with path.open("w") as file:
        for number in range(count):
            name = dice.choice(names)
            kind = name[:name.index(".")].rstrip("0123456789")
            pinned = dice.choice(names) if dice.random() < 0.2 else name
            mechanism, policy = dice.choice([
                ("system", {}),
                ("afnetworking", {"pinningMode": "certificate", "pinnedCertificates": [f"{pinned}.pem"],
                                  "allowInvalidCertificates": True}),
                ("afnetworking", {"pinningMode": "publicKey", "pinnedCertificates": [f"{pinned}.pem"]}),
                ("spki", {"pins": [leaves[pinned]], "scope": "chain"}),
                ("okhttp", {"pins": [f"{name} sha256/{leaves[pinned]}"]}),
                ("alamofire-public-keys", {"certificates": [f"{pinned}.pem"]}),
            ])
            month, day = dice.randint(1, 12), dice.randint(1, 28)
            case = {
                "id": number, "mechanism": mechanism, "policy": policy,
                "host": name if dice.random() < 0.9 else dice.choice(names),
                "presented": [f"{name}.pem", f"{kind}-authority.pem"], "anchors": [f"{kind}-root.pem"],
                "time": f"{year}-{month:02}-{day:02}T{dice.randint(0, 23):02}:{dice.randint(0, 59):02}:00Z",
            }
            file.write(json.dumps(case) + "\n")
    return path
