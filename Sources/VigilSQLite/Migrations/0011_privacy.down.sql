DROP TABLE erased_persons;
DROP TABLE erasure_requests;
