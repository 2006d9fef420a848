/** Imports a file from the disk. A file of the disk has Node's usual import(). */
module.exports = (url) => import(url);
