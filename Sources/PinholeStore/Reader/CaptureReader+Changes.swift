/// Reads the changes that the writers of a capture note.
extension CaptureReader {
    /// Returns the revision of the last change.
    ///
    /// - Returns: The revision; 0 if nothing was changed so far.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    func revision() throws(CaptureFailure) -> Int64 { try read { db in try ChangeLog.revision(db) } }

    /// Returns the changes after a revision, in their order.
    ///
    /// - Parameters:
    ///   - revision: The revision that is known.
    ///   - limit: The largest number of changes to return.
    /// - Returns: The changes; `nil` if the first of them are not kept any more.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    func changes(after revision: Int64, limit: Int = .max) throws(CaptureFailure) -> [ChangeLog.Change]? {
        try read { db in try ChangeLog.changes(after: revision, limit: limit, db) }
    }
}
