"""The columns that the benchmarks write into the tables of a capture."""

EXCHANGE = """
    id flow started ended scheme authority method path status outcome detail notes state blocked resolve connect tls
    request_ended response_started request_length request_captured response_length response_captured
""".split()
FLOW = "id opened closed client authority treatment outcome failed exchanges record".split()


def insertion(table, columns):
    """The statement that writes a row with these columns."""
    return f"INSERT INTO {table}({','.join(columns)}) VALUES ({','.join('?' * len(columns))})"
