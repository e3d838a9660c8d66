Feature: A kubelet gives containers the devices of extended resources

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
  @KUBELET/devices/extended
  Scenario: Each container gets the devices of the requests that the pod status maps to it
    Given ResourceClaim "special" is the extended-resource claim of pod "p"
    And pod "p" has the requestMappings
      | container | resource        | request               |
      | one       | example.com/gpu | container-0-request-0 |
      | two       | example.com/gpu | container-1-request-0 |
      | two       | example.com/nic | container-1-request-1 |
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "special"
    And container "one" of pod "p" gets the device "gpu-0"
    And container "two" of pod "p" gets the devices "gpu-1, nic-0"
    And container "three" of pod "p" gets no device
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "special"

  @case:prepared-once
  @KUBELET/prepare/once
  Scenario: An extended-resource claim is not prepared again when the kubelet prepares its pod again
    Given ResourceClaim "special" is the extended-resource claim of pod "p"
    And pod "p" has the requestMappings
      | container | resource        | request               |
      | one       | example.com/gpu | container-0-request-0 |
      | two       | example.com/gpu | container-1-request-0 |
      | two       | example.com/nic | container-1-request-1 |
    When the kubelet prepares pod "p"
    Then driver "dra.example.com" is called once to prepare ResourceClaim "special"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And no driver is called

  @case:error-for-the-special-claim
  @KUBELET/prepare/error-of-claim
  Scenario: An error of a driver for the extended-resource claim fails the pod
    Given ResourceClaim "special" is the extended-resource claim of pod "p"
    And pod "p" has the requestMappings
      | container | resource        | request               |
      | one       | example.com/gpu | container-0-request-0 |
      | two       | example.com/gpu | container-1-request-0 |
      | two       | example.com/nic | container-1-request-1 |
    When driver "dra.example.com" now answers calls to prepare with an error for ResourceClaim "special"
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails

  @case:replaced-special-claim
  @KUBELET/prepare/replaced-claim
  Scenario: A pod whose extended-resource claim is replaced fails until the old one is unprepared
    Given ResourceClaim "special" is the extended-resource claim of pod "p"
    And pod "p" has the requestMappings
      | container | resource        | request               |
      | one       | example.com/gpu | container-0-request-0 |
      | two       | example.com/gpu | container-1-request-0 |
      | two       | example.com/nic | container-1-request-1 |
    When the kubelet prepares pod "p"
    And ResourceClaim "special" is replaced while the kubelet knows it
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And no driver is called

  @case:devices-without-requests
  @KUBELET/devices/all-requests @KUBELET/devices/extended
  Scenario: A device that names no request belongs to each request of an extended-resource claim
    Given ResourceClaim "special" is the extended-resource claim of pod "p"
    And pod "p" has the requestMappings
      | container | resource        | request               |
      | one       | example.com/gpu | container-0-request-0 |
      | two       | example.com/gpu | container-1-request-0 |
      | two       | example.com/nic | container-1-request-1 |
    When driver "dra.example.com" now answers calls to prepare with devices that name no request
    And the kubelet prepares pod "p"
    Then container "one" of pod "p" gets the devices "gpu-0, gpu-1, nic-0"
    And container "three" of pod "p" gets no device

  @case:two-drivers
  @KUBELET/devices/extended
  Scenario: A container gets the devices of both drivers of its extended-resource claim
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "both" is already allocated
      | request               | device | driver          |
      | container-0-request-0 | gpu-0  | dra.example.com |
      | container-0-request-1 | nic-0  | nic.example.com |
    And a pod "q" with the containers
      | container | limit example.com/gpu | limit example.com/nic | request example.com/gpu | request example.com/nic |
      | main      | 1                     | 1                     | 1                       | 1                       |
    And ResourceClaim "both" is the extended-resource claim of pod "q"
    And pod "q" has the requestMappings
      | container | resource        | request               |
      | main      | example.com/gpu | container-0-request-0 |
      | main      | example.com/nic | container-0-request-1 |
    When the kubelet prepares pod "q"
    Then pod "q" is prepared
    And container "main" of pod "q" gets the devices "gpu-0, nic-0"

  @case:with-resource-claims
  @KUBELET/devices/extended @KUBELET/devices/by-request
  Scenario: A container gets the devices of its extended resources and of its ResourceClaims
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-2  |
    And a pod "q" with the containers
      | container | claims | limit example.com/gpu | request example.com/gpu |
      | both      | c      | 1                     | 1                       |
      | claims    | c      |                       |                         |
    And ResourceClaim "special" is the extended-resource claim of pod "q"
    And pod "q" has the requestMappings
      | container | resource        | request               |
      | both      | example.com/gpu | container-0-request-0 |
    When the kubelet prepares pod "q"
    Then pod "q" is prepared
    And container "both" of pod "q" gets the devices "gpu-0, gpu-2"
    And container "claims" of pod "q" gets the device "gpu-2"

  @case:only-an-init-container
  @KUBELET/devices/extended
  Scenario: An extended-resource claim that only an init container uses is prepared
    Given a pod "q" with the containers
      | container | kind | limit example.com/gpu | request example.com/gpu |
      | setup     | init | 1                     | 1                       |
      | main      |      |                       |                         |
    And ResourceClaim "special" is the extended-resource claim of pod "q"
    And pod "q" has the requestMappings
      | container | resource        | request               |
      | setup     | example.com/gpu | container-0-request-0 |
    When the kubelet prepares pod "q"
    Then pod "q" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "special"
    And container "setup" of pod "q" gets the device "gpu-0"
    And container "main" of pod "q" gets no device

  @case:no-status
  @KUBELET/devices/no-status
  Scenario: Without extendedResourceClaimStatus no container gets a device
    When the kubelet prepares pod "p"
    Then container "one" of pod "p" gets no device
    And container "two" of pod "p" gets no device

  @case:restart-without-api-server
  @KUBELET/restart/no-api-server
  Scenario: Without an API server, a restarted kubelet remembers an extended-resource claim's devices
    Given ResourceClaim "special" is the extended-resource claim of pod "p"
    And pod "p" has the requestMappings
      | container | resource        | request               |
      | one       | example.com/gpu | container-0-request-0 |
      | two       | example.com/gpu | container-1-request-0 |
      | two       | example.com/nic | container-1-request-1 |
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the kubelet loses the API server
    And the kubelet is killed and started again
    Then container "one" of pod "p" gets the device "gpu-0"
    And container "two" of pod "p" gets the devices "gpu-1, nic-0"
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "special"

  @case:pod-resources-of-extended-claim
  @KUBELET/pod-resources/claims
  Scenario: The PodResources API lists an extended-resource claim for the container that uses it
    Given ResourceClaim "all" is already allocated
      | request               | device |
      | container-0-request-0 | gpu-0  |
      | container-0-request-1 | nic-0  |
    And a pod "q" with the containers
      | container | limit example.com/gpu | limit example.com/nic | request example.com/gpu | request example.com/nic |
      | one       | 1                     | 1                     | 1                       | 1                       |
      | two       |                       |                       |                         |                         |
    And ResourceClaim "all" is the extended-resource claim of pod "q"
    And pod "q" has the requestMappings
      | container | resource        | request               |
      | one       | example.com/gpu | container-0-request-0 |
      | one       | example.com/nic | container-0-request-1 |
    When the kubelet prepares pod "q"
    Then pod "q" is prepared
    And the PodResources API shows ResourceClaim "all" of container "one" of pod "q" with the devices "dra.example.com/pool-1/gpu-0, dra.example.com/pool-1/nic-0"
    And the PodResources API does not show ResourceClaim "all" of container "two" of pod "q"

  @case:unreserved-special-claim
  @KUBELET/prepare/validates-first
  Scenario: A pod whose extended-resource claim is not reserved fails before a driver is called
    Given ResourceClaim "special" is the extended-resource claim of pod "p"
    And pod "p" has the requestMappings
      | container | resource        | request               |
      | one       | example.com/gpu | container-0-request-0 |
    And ResourceClaim "special" is not reserved for pod "p"
    When the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And no driver is called
    And pod "p" does not need to be unprepared

  @case:with-an-unregistered-driver
  @KUBELET/prepare/validates-first
  Scenario Outline: A pod fails before a call if the driver of <which> is not registered
    Given ResourceClaim "c" is already allocated
      | device | driver   |
      | dev-0  | <claims> |
    And ResourceClaim "other" is already allocated
      | request               | device | driver     |
      | container-0-request-0 | dev-1  | <extended> |
    And a pod "q" with the containers
      | container | claims | limit example.com/gpu | request example.com/gpu |
      | main      | c      | 1                     | 1                       |
    And ResourceClaim "other" is the extended-resource claim of pod "q"
    And pod "q" has the requestMappings
      | container | resource        | request               |
      | main      | example.com/gpu | container-0-request-0 |
    When the kubelet prepares pod "q"
    Then preparing pod "q" fails
    And no driver is called
    And pod "q" does not need to be unprepared

    @key:which
    Examples:
      | which                       | claims           | extended         |
      | its extended-resource claim | dra.example.com  | fpga.example.com |
      | its ResourceClaim           | fpga.example.com | dra.example.com  |

  @case:special-claim-not-ready
  @KUBELET/prepare/validates-first
  Scenario Outline: A pod whose extended-resource claim is <problem> fails before a driver is called
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-2  |
    And a ResourceClaim "unallocated" requesting 1 device
    And the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: q}
      spec:
        resourceClaims:
        - {name: c, resourceClaimName: c}
        containers:
        - name: main
          image: registry.k8s.io/pause:3.10
          resources: {claims: [{name: c}], requests: {example.com/gpu: 1}, limits: {example.com/gpu: 1}}
      status:
        extendedResourceClaimStatus:
          resourceClaimName: <problem>
          requestMappings:
          - {containerName: main, resourceName: example.com/gpu, requestName: container-0-request-0}
      """
    When the kubelet prepares pod "q"
    Then preparing pod "q" fails
    And no driver is called
    And pod "q" does not need to be unprepared

    @key:problem
    Examples:
      | problem     |
      | missing     |
      | unallocated |

  @case:unprepared-with-resource-claims
  @KUBELET/unprepare/last-pod @KUBELET/prepare/one-call-per-driver
  Scenario: The extended-resource claim of a pod is unprepared together with its ResourceClaim
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-2  |
    And a pod "q" with the containers
      | container | claims | limit example.com/gpu | request example.com/gpu |
      | main      | c      | 1                     | 1                       |
    And ResourceClaim "special" is the extended-resource claim of pod "q"
    And pod "q" has the requestMappings
      | container | resource        | request               |
      | main      | example.com/gpu | container-0-request-0 |
    When the kubelet prepares pod "q"
    Then driver "dra.example.com" is called once to prepare ResourceClaims "c, special"
    When the kubelet unprepares pod "q"
    Then pod "q" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaims "c, special"

  @case:after-restart
  @KUBELET/restart/checkpoint @KUBELET/devices/extended
  Scenario: A restarted kubelet remembers the devices of an extended-resource claim
    Given ResourceClaim "special" is the extended-resource claim of pod "p"
    And pod "p" has the requestMappings
      | container | resource        | request               |
      | one       | example.com/gpu | container-0-request-0 |
      | two       | example.com/gpu | container-1-request-0 |
      | two       | example.com/nic | container-1-request-1 |
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the kubelet is killed and started again
    Then container "one" of pod "p" gets the device "gpu-0"
    And container "two" of pod "p" gets the devices "gpu-1, nic-0"
    And pod "p" still needs to be unprepared
    When the kubelet unprepares pod "p"
    Then driver "dra.example.com" is called once to unprepare ResourceClaim "special"
