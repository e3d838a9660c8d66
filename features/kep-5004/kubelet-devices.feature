Feature: A kubelet gives containers the devices that the pod status maps to them

  Background:
    Given DRA driver "dra.example.com" on the node
    And ResourceClaim "special" is already allocated
      | request               | device |
      | container-0-request-0 | gpu-0  |
      | container-1-request-0 | gpu-1  |
      | container-1-request-1 | nic-0  |
    And a pod "p" with the containers
      | container | limit example.com/gpu | limit example.com/nic | request example.com/gpu | request example.com/nic |
      | one       | 1                     |                       | 1                       |                         |
      | two       | 1                     | 1                     | 1                       | 1                       |
      | three     |                       |                       |                         |                         |

  @case:mapped-devices
  @KEP-5004/actuation/devices-follow-the-mapping @KEP-5004/actuation/driver-and-plugin-apis-unchanged
  Scenario: An init container and a container each get the devices that the pod status maps to them
    Given a pod "q" with the containers
      | container | kind | limit example.com/gpu | request example.com/gpu |
      | setup     | init | 1                     | 1                       |
      | main      |      | 1                     | 1                       |
    And ResourceClaim "of-q" is already allocated
      | request               | device |
      | container-0-request-0 | gpu-2  |
      | container-1-request-0 | gpu-3  |
    And ResourceClaim "of-q" is the extended-resource claim of pod "q"
    And pod "q" has the requestMappings
      | container | resource        | request               |
      | setup     | example.com/gpu | container-0-request-0 |
      | main      | example.com/gpu | container-1-request-0 |
    When the kubelet prepares pod "q"
    Then pod "q" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "of-q"
    And container "setup" of pod "q" gets the device "gpu-2"
    And container "main" of pod "q" gets the device "gpu-3"

  @case:other-mapping
  @KEP-5004/actuation/devices-follow-the-mapping
  Scenario: The pod status decides which container gets a device, not the name of its request
    Given ResourceClaim "special" is the extended-resource claim of pod "p"
    And pod "p" has the requestMappings
      | container | resource        | request               |
      | two       | example.com/gpu | container-0-request-0 |
      | one       | example.com/gpu | container-1-request-0 |
      | two       | example.com/nic | container-1-request-1 |
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And container "one" of pod "p" gets the device "gpu-1"
    And container "two" of pod "p" gets the devices "gpu-0, nic-0"

  @case:no-status
  @KEP-5004/actuation/missing-status-blocks-start
  Scenario: A pod without extendedResourceClaimStatus gets no device of another pod
    Given a pod "q" with the container
      | container | limit example.com/gpu | request example.com/gpu |
      | one       | 1                     | 1                       |
    And ResourceClaim "special" is the extended-resource claim of pod "q"
    And pod "q" has the requestMappings
      | container | resource        | request               |
      | one       | example.com/gpu | container-0-request-0 |
    When the kubelet prepares pod "q"
    Then pod "q" is prepared
    When the kubelet prepares pod "p"
    Then no driver is called
    And container "one" of pod "p" gets no device
    And container "two" of pod "p" gets no device

  @case:no-mapping
  @KEP-5004/actuation/devices-follow-the-mapping
  Scenario: A container without a request mapping gets no device of the extended-resource claim
    Given ResourceClaim "special" is the extended-resource claim of pod "p"
    And pod "p" has the requestMappings
      | container | resource        | request               |
      | one       | example.com/gpu | container-0-request-0 |
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And container "one" of pod "p" gets the device "gpu-0"
    And container "two" of pod "p" gets no device

  @case:with-pod-claim
  @KEP-5004/actuation/driver-and-plugin-apis-unchanged
  Scenario: A container gets the devices of the extended-resource claim and of its ResourceClaim
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-2  |
    And a pod "q" with the container
      | container | limit example.com/gpu | request example.com/gpu | claims |
      | main      | 1                     | 1                       | c      |
    And ResourceClaim "of-q" is already allocated
      | request               | device |
      | container-0-request-0 | gpu-3  |
    And ResourceClaim "of-q" is the extended-resource claim of pod "q"
    And pod "q" has the requestMappings
      | container | resource        | request               |
      | main      | example.com/gpu | container-0-request-0 |
    When the kubelet prepares pod "q"
    Then pod "q" is prepared
    And container "main" of pod "q" gets the devices "gpu-2, gpu-3"
    But since Kubernetes 1.34, because the KEP does not say in how many calls claims are prepared: pod "q" is prepared
    But since Kubernetes 1.34, because the KEP does not say in how many calls claims are prepared: driver "dra.example.com" is called once to prepare ResourceClaims "c, of-q"
    But since Kubernetes 1.34, because the KEP does not say in how many calls claims are prepared: container "main" of pod "q" gets the devices "gpu-2, gpu-3"

  @case:restart-without-api-server
  @KEP-5004/actuation/restart-with-api-server-down
  Scenario: A kubelet restarted without an API server still follows the request mappings
    Given ResourceClaim "special" is the extended-resource claim of pod "p"
    And pod "p" has the requestMappings
      | container | resource        | request               |
      | two       | example.com/gpu | container-0-request-0 |
      | one       | example.com/gpu | container-1-request-0 |
      | two       | example.com/nic | container-1-request-1 |
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the kubelet loses the API server
    And the kubelet is killed and started again
    Then container "one" of pod "p" gets the device "gpu-1"
    And container "two" of pod "p" gets the devices "gpu-0, nic-0"

  @case:other-request-names
  @KEP-5004/actuation/devices-follow-the-mapping
  Scenario: A container gets the devices of mapped requests that are not named after containers
    Given a pod "q" with the containers
      | container | limit example.com/gpu | request example.com/gpu |
      | one       | 1                     | 1                       |
      | two       | 2                     | 2                       |
    And ResourceClaim "of-q" is already allocated
      | request | device |
      | first   | gpu-2  |
      | second  | gpu-3  |
      | second  | gpu-4  |
    And ResourceClaim "of-q" is the extended-resource claim of pod "q"
    And pod "q" has the requestMappings
      | container | resource        | request |
      | one       | example.com/gpu | first   |
      | two       | example.com/gpu | second  |
    When the kubelet prepares pod "q"
    Then pod "q" is prepared
    And container "one" of pod "q" gets the device "gpu-2"
    And container "two" of pod "q" gets the devices "gpu-3, gpu-4"

  @case:reused-requests
  @KEP-5004/actuation/devices-follow-the-mapping
  Scenario: An init container that is mapped to requests of two containers gets the devices of both
    Given a pod "q" with the containers
      | container | kind    | limit example.com/gpu | request example.com/gpu |
      | setup     | init    | 2                     | 2                       |
      | helper    | sidecar | 1                     | 1                       |
      | main      |         | 1                     | 1                       |
    And ResourceClaim "of-q" is already allocated
      | request               | device |
      | container-1-request-0 | gpu-2  |
      | container-2-request-0 | gpu-3  |
    And ResourceClaim "of-q" is the extended-resource claim of pod "q"
    And pod "q" has the requestMappings
      | container | resource        | request               |
      | helper    | example.com/gpu | container-1-request-0 |
      | main      | example.com/gpu | container-2-request-0 |
      | setup     | example.com/gpu | container-1-request-0 |
      | setup     | example.com/gpu | container-2-request-0 |
    When the kubelet prepares pod "q"
    Then pod "q" is prepared
    And container "setup" of pod "q" gets the devices "gpu-2, gpu-3"
    And container "helper" of pod "q" gets the device "gpu-2"
    And container "main" of pod "q" gets the device "gpu-3"
    But in Kubernetes 1.34, because the kubelet uses only the first mapping of a container and resource: pod "q" is prepared
    But in Kubernetes 1.34, because the kubelet uses only the first mapping of a container and resource: container "setup" of pod "q" gets the device "gpu-2"
    But in Kubernetes 1.34, because the kubelet uses only the first mapping of a container and resource: container "helper" of pod "q" gets the device "gpu-2"
    But in Kubernetes 1.34, because the kubelet uses only the first mapping of a container and resource: container "main" of pod "q" gets the device "gpu-3"

  @case:two-special-claims
  @KEP-5004/actuation/devices-follow-the-mapping
  Scenario: Containers of two pods with equal request names get the devices of their own pod
    Given a pod "q" with the container
      | container | limit example.com/gpu | request example.com/gpu |
      | one       | 1                     | 1                       |
    And ResourceClaim "of-q" is already allocated
      | request               | device |
      | container-0-request-0 | gpu-2  |
    And ResourceClaim "special" is the extended-resource claim of pod "p"
    And pod "p" has the requestMappings
      | container | resource        | request               |
      | one       | example.com/gpu | container-0-request-0 |
      | two       | example.com/gpu | container-1-request-0 |
      | two       | example.com/nic | container-1-request-1 |
    And ResourceClaim "of-q" is the extended-resource claim of pod "q"
    And pod "q" has the requestMappings
      | container | resource        | request               |
      | one       | example.com/gpu | container-0-request-0 |
    When the kubelet prepares pods "p, q"
    Then pod "p" is prepared
    And pod "q" is prepared
    And container "one" of pod "p" gets the device "gpu-0"
    And container "one" of pod "q" gets the device "gpu-2"
