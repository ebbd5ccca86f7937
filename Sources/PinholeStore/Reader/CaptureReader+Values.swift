/// Reads a capture without regard to what its values mean.
extension CaptureReader {
    /// Reads every text and every blob of the file, whatever table it is in.
    ///
    /// - Parameter use: Called with the bytes of each value, and with its table and column.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func everyValue(
        _ use: (_ bytes: [UInt8], _ table: String, _ column: String) -> Void
    ) throws(CaptureFailure) {
        try read { db in
            let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
            let tables = try db.rows("sqlite_schema", sql) { row in try row.text(0) }
            for table in tables {
                try db.walk(table, "SELECT * FROM \"\(table)\"") { row in
                    row.eachText { bytes, column in use(bytes, table, column) }
                    return true
                }
            }
        }
    }
}
