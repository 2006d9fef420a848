/** Sentences of docs/specification.md, or parts of them, each with the ids of the clauses that test it. */
const rows = `| 200 | Pets: a JSON array of Pet. | → list-pets/success
A Pet has every field of NewPet plus an identifier. → list-pets/pets create-pet/echoes
Unique identifier, assigned by the service on creation. → list-pets/unique-ids create-pet/unique-id create-pet/id-assigned
Maximum number of animals returned. → list-pets/limit-is-a-maximum list-pets/filter-before-limit
Integer from 1 to 100 inclusive; default 20. → list-pets/limit-bounds list-pets/limit-default list-pets/limit-most-100 list-pets/limit-invalid
Filters animals by availability status. → list-pets/status-filters list-pets/status-complete
Allowed values: available, pending, sold. → list-pets/status-invalid create-pet/status-kept create-pet/status-value
When the key is missing or invalid, the response is 401 with an Error body. → list-pets/missing-key list-pets/invalid-key create-pet/missing-key create-pet/invalid-key get-pet/missing-key get-pet/invalid-key
The requirement applies to every operation. → create-pet/key-before-body create-pet/unauthorized-adds-nothing
in the Authorization header, in the form Authorization: Bearer <API_KEY>. → list-pets/bearer-form create-pet/bearer-form get-pet/bearer-form
| 201 | Animal added. | Pet, including the assigned id. | → create-pet/success create-pet/pet create-pet/stored
| name | string | yes | The animal's name. | → create-pet/text-exact
| categoryId | integer, int64 | yes | Identifier of the category. | → create-pet/int64-exact create-pet/category-any create-pet/category-type
name and categoryId must be present. → create-pet/name-required create-pet/category-required
The body is missing required fields or contains invalid values. → create-pet/name-type create-pet/refused-adds-nothing
The request body is required. Its media type is application/json and its shape is NewPet. → create-pet/body-required create-pet/malformed
| 200 | The requested animal. | Pet | → get-pet/success get-pet/same-as-listed get-pet/finds-added
| petId | integer, int64 | yes | Identifier of the animal to retrieve. | → get-pet/right-animal get-pet/non-integer
| 404 | The requested animal could not be found. | GET /pets/{petId} | → get-pet/unknown-is-404
list animals, optionally filtered by availability status; - add an animal; - fetch one animal by its identifier → store/kept store/sequences store/steady
All error responses in the animal operations use the Error body. → errors/body
| status | integer | yes | The HTTP status code. | → errors/status
Requests and responses use JSON (media type application/json). → errors/media-type service/media-type
Statuses other than 400, 401 and 404: not shown. → errors/no-server-fault
JSON object with fields id (string), message (string), status (string; the quickstart shows the value queued), createdAt (string, ISO 8601 timestamp). → quickstart/success
A 401 means the key is missing or invalid, or the Authorization header does not use the Bearer form. → quickstart/missing-key
A 400 means the JSON is invalid, the message field is absent, or Content-Type is not application/json. → quickstart/invalid`;

/** The sentence of the specification for each clause that tests one, by its id. */
export const quotes: ReadonlyMap<string, string> = new Map(
  rows.split('\n').flatMap((row) => {
    const [quote = '', ids = ''] = row.split(' → ');
    return ids.split(' ').map((id) => [id, quote]);
  }),
);
