Feature: A kubelet gives containers the devices of the ResourceClaims that they use

  Background:
    Given DRA driver "dra.example.com" on the node

  @case:by-request
  @KUBELET/devices/by-request @KUBELET/devices/none
  Scenario: Containers get the devices of the requests that they name
    Given ResourceClaim "c" is already allocated
      | request | device |
      | one     | gpu-0  |
      | two     | gpu-1  |
      | two     | gpu-2  |
    And a pod "p" with the containers
      | container | claims       |
      | all       | c            |
      | first     | c/one        |
      | second    | c/two        |
      | both      | c/one, c/two |
      | neither   |              |
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And container "all" of pod "p" gets the devices "gpu-0, gpu-1, gpu-2"
    And container "first" of pod "p" gets the device "gpu-0"
    And container "second" of pod "p" gets the devices "gpu-1, gpu-2"
    And container "both" of pod "p" gets the devices "gpu-0, gpu-1, gpu-2"
    And container "neither" of pod "p" gets no device

  @case:init-containers
  @KUBELET/devices/by-request
  Scenario: An init container and a sidecar get the devices of their ResourceClaims
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" with the containers
      | container | kind    | claims |
      | setup     | init    | c      |
      | helper    | sidecar | d      |
      | main      |         | c, d   |
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And container "setup" of pod "p" gets the device "gpu-0"
    And container "helper" of pod "p" gets the device "gpu-1"
    And container "main" of pod "p" gets the devices "gpu-0, gpu-1"

  @case:two-drivers
  @KUBELET/devices/by-request
  Scenario: A container gets the devices of both drivers of its ResourceClaim
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "c" is already allocated
      | request | device | driver          |
      | gpu     | gpu-0  | dra.example.com |
      | nic     | nic-0  | nic.example.com |
    And a pod "p" with the containers
      | container | claims |
      | all       | c      |
      | network   | c/nic  |
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And container "all" of pod "p" gets the devices "gpu-0, nic-0"
    And container "network" of pod "p" gets the device "nic-0"

  @case:before-prepare
  @KUBELET/devices/none
  Scenario: A container whose pod is not prepared gets no device
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "q" without ResourceClaims
    When the kubelet prepares pod "q"
    Then pod "q" is prepared
    And no driver is called
    And container "main" of pod "q" gets no device
    And container "main" of pod "p" cannot start

  @case:pod-resources
  @KUBELET/pod-resources/claims
  Scenario: The PodResources API lists the ResourceClaims of each container with their devices
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device | driver          | pool     |
      | gpu-0  | dra.example.com | rack-1   |
      | nic-0  | nic.example.com | switch-7 |
    And ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" with the containers
      | container | claims |
      | one       | c      |
      | two       | c, d   |
    When the kubelet prepares pod "p"
    Then the PodResources API shows ResourceClaim "c" of container "one" of pod "p" with the devices "dra.example.com/rack-1/gpu-0, nic.example.com/switch-7/nic-0"
    And the PodResources API shows ResourceClaim "c" of container "two" of pod "p" with the devices "dra.example.com/rack-1/gpu-0, nic.example.com/switch-7/nic-0"
    And the PodResources API shows ResourceClaim "d" of container "two" of pod "p" with the device "dra.example.com/pool-1/gpu-1"
