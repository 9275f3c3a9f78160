-- What opens the gate to the cargo, such as a pick-up number: encrypted, and shown nowhere with the document.
alter table document_representations add column sealed_fields bytea;
