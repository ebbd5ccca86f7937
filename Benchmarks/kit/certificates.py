"""Certificates of the origin, made anew for each run."""
import subprocess


def _openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


def make(folder, names):
    """Makes root.pem, leaf.pem with leaf.key (for `names`), and alien.pem with alien.key, which nobody trusts."""
    subject = ",".join(f"DNS:{name}" for name in names) + ",IP:127.0.0.1"
    for stem, name in (("root", "Benchmark Root"), ("alien", "Benchmark Alien")):
        extension = "basicConstraints=critical,CA:TRUE" if stem == "root" else f"subjectAltName={subject}"
        _openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", 30,
                 "-subj", f"/CN={name}", "-addext", extension,
                 "-keyout", folder / f"{stem}.key", "-out", folder / f"{stem}.pem")
    _openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={names[0]}",
             "-keyout", folder / "leaf.key", "-out", folder / "leaf.csr")
    (folder / "leaf.ext").write_text(f"subjectAltName={subject}\nextendedKeyUsage=serverAuth\n")
    _openssl("x509", "-req", "-in", folder / "leaf.csr", "-CA", folder / "root.pem", "-CAkey", folder / "root.key",
             "-CAcreateserial", "-days", 30, "-extfile", folder / "leaf.ext", "-out", folder / "leaf.pem")
